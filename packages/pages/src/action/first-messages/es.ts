import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'Un momento…',
  labels: {
    account: 'Cuenta',
    authenticator: 'Aplicación de autenticación',
  },
  resetMail: {
    invitation: 'Escribe tu correo electrónico para recibir un enlace nuevo.',
    label: 'Correo electrónico',
    invalid: 'Escribe un correo electrónico válido, como nombre@example.com.',
    send: 'Enviar correo para restablecer la contraseña',
    sent: 'Si esta dirección tiene una cuenta, le hemos enviado un enlace. Revisa tu bandeja de entrada.',
  },
  problems: {
    weakPassword: 'Esta contraseña es demasiado fácil de adivinar. Elige otra.',
    tooManyAttempts: 'Demasiados intentos. Espera unos minutos e inténtalo otra vez.',
    unreachable: 'No se puede conectar con el servidor. Comprueba tu conexión e inténtalo otra vez.',
    unexpected: 'Se ha producido un error inesperado. Inténtalo otra vez más tarde.',
  },
};
