import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'Verificando o link…',
  restoredEmail: 'E‑mail a restaurar',
  phoneFactor: (number) => `Telefone ${number}`,
  confirm: {
    verifyEmail: {
      heading: 'Verifique seu e‑mail',
      text: 'Confirme que este e‑mail é seu.',
      button: 'Verificar e‑mail',
    },
    verifyAndChangeEmail: {
      heading: 'Altere seu e‑mail',
      text: 'Você fará login com o novo endereço.',
      button: 'Alterar e‑mail',
    },
    recoverEmail: {
      heading: 'Restaure seu e‑mail',
      text: 'O e‑mail da sua conta foi alterado. Se não foi você, restaure o anterior.',
      button: 'Restaurar e‑mail',
    },
    revertSecondFactorAddition: {
      heading: 'Remova o segundo fator',
      text: 'Um segundo fator foi adicionado à sua conta. Se não foi você, remova-o.',
      button: 'Remover o segundo fator',
    },
  },
  done: {
    resetPassword: { heading: 'Senha salva', text: 'Agora você pode fazer login com a nova senha.' },
    verifyEmail: { heading: 'E‑mail verificado', text: 'Agora você pode usar seu e‑mail verificado.' },
    verifyAndChangeEmail: {
      heading: 'E‑mail alterado',
      text: 'Agora você pode fazer login com o novo e‑mail.',
    },
    recoverEmail: {
      heading: 'E‑mail restaurado',
      text: 'Você pode fazer login novamente com o e‑mail anterior.',
    },
    revertSecondFactorAddition: {
      heading: 'Segundo fator removido',
      text: 'O login não o exige mais.',
    },
  },
  close: 'Você pode fechar esta página.',
  continueTo: (host) => `Continuar para ${host}`,
  resetAdvice: 'Se você não fez esta alteração, redefina também sua senha. Outra pessoa pode conhecê-la.',
  rejected: {
    incomplete: {
      heading: 'Este link está incompleto',
      text: 'Abra novamente o link do e‑mail ou copie o link inteiro na barra de endereços.',
    },
    unknownMode: { heading: 'Link inválido', text: 'Abra novamente o link do e‑mail.' },
    noContinueUrl: {
      heading: 'Este link não pode abrir o app',
      text: 'A URL do app está faltando ou não é permitida. Peça um novo link de login no app.',
    },
    wrongProject: {
      heading: 'Projeto incorreto',
      text: 'Este link é de outro projeto. Abra novamente o link do e‑mail.',
    },
    invalidCode: {
      heading: 'Este link não é mais válido',
      text: 'Este link já foi usado ou substituído por um mais recente.',
    },
    expiredCode: {
      heading: 'Este link expirou',
      text: 'Peça um novo link. Cada link vale por tempo limitado.',
    },
    userDisabled: {
      heading: 'Esta conta está desativada',
      text: 'Se você acha que é um engano, fale com o suporte do app.',
    },
    userNotFound: { heading: 'Conta não encontrada', text: 'A conta deste link foi excluída.' },
    emailTaken: {
      heading: 'E‑mail já em uso',
      text: 'Outra conta usa este e‑mail. Nada foi alterado.',
    },
    notAllowed: {
      heading: 'Não permitido',
      text: 'O app não permite esta ação no momento.',
    },
  },
  failed: 'Algo deu errado',
  retry: 'Tentar novamente',
};
