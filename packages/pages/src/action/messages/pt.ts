import type { Messages } from './messages.ts';

export const PT: Messages = {
  checking: 'Verificando o link…',
  busy: 'Um momento…',
  labels: {
    account: 'Conta',
    currentEmail: 'E‑mail atual',
    newEmail: 'Novo e‑mail',
    restoredEmail: 'E‑mail a restaurar',
    factor: 'Segunda etapa a remover',
    authenticator: 'Aplicativo autenticador',
    phone: (number) => `Telefone ${number}`,
  },
  newPassword: {
    heading: 'Escolha uma nova senha',
    text: 'Sua sessão será encerrada em todos os seus dispositivos.',
    label: 'Nova senha',
    show: 'Mostrar a senha',
    save: 'Salvar a senha',
    requirements: 'A senha precisa de:',
    met: 'pronto',
    unmet: 'ainda falta',
    allMet: 'A senha tem tudo de que precisa.',
    missing: 'Ainda falta algo na senha.',
    minLength: (count) => (count === 1 ? 'pelo menos 1 caractere' : `pelo menos ${count} caracteres`),
    maxLength: (count) => `no máximo ${count} caracteres`,
    lowercase: 'uma letra minúscula (a–z)',
    uppercase: 'uma letra maiúscula (A–Z)',
    digit: 'um dígito (0–9)',
    symbol: 'um caractere especial, por exemplo ! ou ?',
  },
  confirm: {
    verifyEmail: {
      heading: 'Confirme seu e‑mail',
      text: 'Pressione o botão para confirmar que este endereço é seu.',
      button: 'Confirmar o endereço',
    },
    verifyAndChangeEmail: {
      heading: 'Altere seu e‑mail',
      text: 'A partir de agora, você entrará com o novo endereço.',
      button: 'Alterar o endereço',
    },
    recoverEmail: {
      heading: 'Restaure seu e‑mail',
      text: 'O endereço da sua conta foi alterado. Se não foi você, restaure o anterior.',
      button: 'Restaurar o endereço',
    },
    revertSecondFactorAddition: {
      heading: 'Remova a segunda etapa',
      text: 'Uma segunda etapa de entrada foi adicionada à sua conta. Se não foi você, remova-a.',
      button: 'Remover a segunda etapa',
    },
  },
  done: {
    resetPassword: { heading: 'Senha salva', text: 'Agora você pode entrar com a nova senha.' },
    verifyEmail: { heading: 'Endereço confirmado', text: 'Obrigado. Seu e‑mail está confirmado.' },
    verifyAndChangeEmail: {
      heading: 'Endereço alterado',
      text: 'A partir de agora, entre com o novo e‑mail.',
    },
    recoverEmail: { heading: 'Endereço restaurado', text: 'Você pode entrar de novo com o e‑mail anterior.' },
    revertSecondFactorAddition: {
      heading: 'Segunda etapa removida',
      text: 'Ela não será mais pedida quando você entrar.',
    },
  },
  close: 'Você pode fechar esta página.',
  continueTo: (host) => `Continuar para ${host}`,
  resetMail: {
    advice: 'Se outra pessoa fez a alteração, talvez ela conheça sua senha. Escolha também uma nova.',
    invitation: 'Digite seu e‑mail para receber um novo link.',
    label: 'E‑mail',
    invalid: 'Digite um e‑mail, por exemplo nome@example.com.',
    send: 'Enviar um link para uma nova senha',
    sent: 'Se houver uma conta com este endereço, um e‑mail com um link está a caminho. Olhe sua caixa de entrada.',
  },
  refused: {
    incomplete: {
      heading: 'Este link está incompleto',
      text: 'Abra de novo o link do e‑mail, ou copie-o inteiro na barra de endereços.',
    },
    unknownMode: { heading: 'Este link não é conhecido', text: 'Abra de novo o link do e‑mail.' },
    noContinueUrl: {
      heading: 'Este link não leva a lugar nenhum',
      text: 'O endereço do aplicativo está faltando ou não é permitido. Peça no aplicativo um novo link de entrada.',
    },
    wrongProject: {
      heading: 'Este link é de outro lugar',
      text: 'Ele foi criado para outro endereço. Abra de novo o link do e‑mail.',
    },
    invalidCode: {
      heading: 'Este link não é mais válido',
      text: 'Ele já foi usado, ou um mais novo tomou o seu lugar.',
    },
    expiredCode: { heading: 'Este link expirou', text: 'Peça um novo; ele vale só por pouco tempo.' },
    userDisabled: {
      heading: 'Esta conta está desativada',
      text: 'Fale com os responsáveis pelo aplicativo se achar que é um engano.',
    },
    userNotFound: { heading: 'Esta conta não existe', text: 'A conta deste link foi excluída.' },
    emailTaken: {
      heading: 'Este endereço está em uso',
      text: 'Outra conta já usa este e‑mail, por isso nada foi alterado.',
    },
    notAllowed: {
      heading: 'Isto não é possível aqui',
      text: 'Os responsáveis pelo aplicativo não permitem esta etapa no momento.',
    },
  },
  failed: 'Não funcionou',
  retry: 'Tentar de novo',
  problems: {
    weakPassword: 'Esta senha é fácil demais de adivinhar. Escolha outra.',
    tooManyAttempts: 'Houve tentativas demais. Espere um pouco e tente de novo.',
    unreachable: 'Não é possível falar com o servidor. Verifique sua conexão e tente de novo.',
    unexpected: 'Algo deu errado. Tente de novo mais tarde.',
  },
};
