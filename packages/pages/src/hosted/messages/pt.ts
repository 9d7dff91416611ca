import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `Entrar em ${app}`,
    password: 'Senha',
    submit: 'Entrar',
    forgot: 'Esqueceu a senha?',
    create: 'Criar uma conta',
    passkey: 'Entrar com uma chave de acesso',
    provider: (name) => `Continuar com ${name}`,
  },
  signUp: {
    name: 'Nome (opcional)',
    heading: 'Criar uma conta',
    submit: 'Criar conta',
    known: 'Entrar com uma conta existente',
  },
  forgot: { heading: 'Redefinir a senha', back: 'Voltar para a entrada' },
  factor: {
    heading: 'Confirme sua identidade',
    totp: 'Digite o código do seu aplicativo autenticador ou um dos seus códigos de recuperação.',
    code: 'Código',
    submit: 'Confirmar',
    sendSms: (phone) => `Enviar um código para ${phone}`,
    smsSent: (phone) => `Enviamos um código para ${phone}. Digite-o aqui.`,
    other: 'Usar outro segundo fator',
  },
  choose: {
    heading: (app) => `Continuar para ${app}`,
    text: 'Sua sessão está aberta neste dispositivo.',
    submit: 'Continuar',
    other: 'Usar outra conta',
  },
  leaving: 'Voltando para o aplicativo…',
  missing: 'Preencha este campo.',
  problems: {
    wrongPassword: 'O endereço de e-mail ou a senha está incorreto.',
    emailTaken: 'Este endereço de e-mail já tem uma conta. Entre ou redefina a senha.',
    invalidEmail: 'Digite um endereço de e-mail válido, como nome@example.com.',
    disabled: 'Esta conta está desativada. Contate o suporte do aplicativo.',
    notAllowed: 'O aplicativo não permite isso no momento.',
    wrongCode: 'O código está incorreto. Digite o código atual.',
    expired: 'Demorou demais. Entre novamente.',
    challenge: 'A verificação do seu navegador falhou. Recarregue a página e tente novamente.',
    passkeyCancelled: 'Nenhuma chave de acesso foi usada. Tente novamente ou entre de outra forma.',
    passkeyUnknown: 'Nenhuma conta tem esta chave de acesso. Entre de outra forma.',
    smsRejected: 'O aplicativo não pode enviar mensagens de texto no momento.',
    providerCanceled: 'A entrada foi cancelada.',
    providerFailed: 'O outro serviço não concluiu a entrada. Tente novamente.',
    accountExists:
      'Outra conta tem este endereço de e-mail. Entre nela de outra forma para vincular as duas.',
  },
};
