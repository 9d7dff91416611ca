import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'Um momento…',
  labels: {
    account: 'Conta',
    authenticator: 'App autenticador',
  },
  resetMail: {
    invitation: 'Digite seu e‑mail para receber um novo link.',
    label: 'E‑mail',
    invalid: 'Digite um e‑mail válido, como nome@example.com.',
    send: 'Enviar e‑mail de redefinição de senha',
    sent: 'Se este endereço tiver uma conta, enviamos um link para ele. Veja sua caixa de entrada.',
  },
  problems: {
    weakPassword: 'Esta senha é fácil demais de adivinhar. Escolha outra.',
    tooManyAttempts: 'Tentativas demais. Aguarde alguns minutos e tente novamente.',
    unreachable: 'Não é possível acessar o servidor. Verifique sua conexão e tente novamente.',
    unexpected: 'Ocorreu um erro inesperado. Tente novamente mais tarde.',
  },
};
