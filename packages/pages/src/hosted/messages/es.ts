import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `Iniciar sesión en ${app}`,
    password: 'Contraseña',
    submit: 'Iniciar sesión',
    forgot: '¿Olvidó su contraseña?',
    create: 'Crear una cuenta',
    passkey: 'Iniciar sesión con una llave de acceso',
  },
  signUp: {
    name: 'Nombre (opcional)',
    heading: 'Crear una cuenta',
    submit: 'Crear cuenta',
    known: 'Iniciar sesión con una cuenta existente',
  },
  forgot: { heading: 'Restablecer la contraseña', back: 'Volver al inicio de sesión' },
  factor: {
    heading: 'Confirme su identidad',
    totp: 'Introduzca el código de su aplicación de autenticación o uno de sus códigos de recuperación.',
    code: 'Código',
    submit: 'Confirmar',
    sendSms: (phone) => `Enviar un código al ${phone}`,
    smsSent: (phone) => `Hemos enviado un código al ${phone}. Introdúzcalo aquí.`,
    other: 'Usar otro segundo factor',
  },
  choose: {
    heading: (app) => `Continuar a ${app}`,
    text: 'Ha iniciado sesión en este dispositivo.',
    submit: 'Continuar',
    other: 'Usar otra cuenta',
  },
  leaving: 'Volviendo a la aplicación…',
  missing: 'Rellene este campo.',
  problems: {
    wrongPassword: 'La dirección de correo o la contraseña es incorrecta.',
    emailTaken: 'Esta dirección de correo ya tiene una cuenta. Inicie sesión o restablezca la contraseña.',
    invalidEmail: 'Introduzca una dirección de correo válida, como nombre@example.com.',
    disabled: 'Esta cuenta está desactivada. Contacte con el soporte de la aplicación.',
    notAllowed: 'La aplicación no permite esto por el momento.',
    wrongCode: 'El código es incorrecto. Introduzca el código actual.',
    expired: 'Ha tardado demasiado. Inicie sesión de nuevo.',
    challenge: 'La comprobación de su navegador ha fallado. Recargue la página e inténtelo de nuevo.',
    passkeyCancelled: 'No se usó ninguna llave de acceso. Inténtelo de nuevo o inicie sesión de otra forma.',
    passkeyUnknown: 'Ninguna cuenta tiene esta llave de acceso. Inicie sesión de otra forma.',
    smsRejected: 'La aplicación no puede enviar mensajes de texto por el momento.',
  },
};
