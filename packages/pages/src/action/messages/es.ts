import type { Messages } from './messages.ts';

export const ES: Messages = {
  checking: 'Comprobando el enlace…',
  busy: 'Un momento…',
  labels: {
    account: 'Cuenta',
    currentEmail: 'Correo electrónico actual',
    newEmail: 'Correo electrónico nuevo',
    restoredEmail: 'Correo electrónico que se restaurará',
    factor: 'Segundo paso que se quitará',
    authenticator: 'Aplicación de autenticación',
    phone: (number) => `Teléfono ${number}`,
  },
  newPassword: {
    heading: 'Elige una contraseña nueva',
    text: 'Se cerrará tu sesión en todos tus dispositivos.',
    label: 'Contraseña nueva',
    show: 'Mostrar la contraseña',
    save: 'Guardar la contraseña',
    requirements: 'La contraseña necesita:',
    met: 'cumplido',
    unmet: 'falta todavía',
    allMet: 'La contraseña tiene todo lo que necesita.',
    missing: 'A la contraseña todavía le falta algo.',
    minLength: (count) => (count === 1 ? 'al menos 1 carácter' : `al menos ${count} caracteres`),
    maxLength: (count) => `como máximo ${count} caracteres`,
    lowercase: 'una letra minúscula (a–z)',
    uppercase: 'una letra mayúscula (A–Z)',
    digit: 'un dígito (0–9)',
    symbol: 'un carácter especial, por ejemplo ! o ?',
  },
  confirm: {
    verifyEmail: {
      heading: 'Confirma tu correo electrónico',
      text: 'Pulsa el botón para confirmar que esta dirección es tuya.',
      button: 'Confirmar la dirección',
    },
    verifyAndChangeEmail: {
      heading: 'Cambia tu correo electrónico',
      text: 'A partir de ahora iniciarás sesión con la dirección nueva.',
      button: 'Cambiar la dirección',
    },
    recoverEmail: {
      heading: 'Restaura tu correo electrónico',
      text: 'Se cambió la dirección de tu cuenta. Si no fuiste tú, restaura la anterior.',
      button: 'Restaurar la dirección',
    },
    revertSecondFactorAddition: {
      heading: 'Quita el segundo paso',
      text: 'Se añadió a tu cuenta un segundo paso para iniciar sesión. Si no fuiste tú, quítalo.',
      button: 'Quitar el segundo paso',
    },
  },
  done: {
    resetPassword: {
      heading: 'Contraseña guardada',
      text: 'Ya puedes iniciar sesión con tu contraseña nueva.',
    },
    verifyEmail: { heading: 'Dirección confirmada', text: 'Gracias. Tu correo electrónico está confirmado.' },
    verifyAndChangeEmail: {
      heading: 'Dirección cambiada',
      text: 'A partir de ahora inicia sesión con tu correo electrónico nuevo.',
    },
    recoverEmail: {
      heading: 'Dirección restaurada',
      text: 'Ya puedes volver a iniciar sesión con tu correo electrónico anterior.',
    },
    revertSecondFactorAddition: {
      heading: 'Segundo paso quitado',
      text: 'Ya no se te pedirá al iniciar sesión.',
    },
  },
  close: 'Puedes cerrar esta página.',
  continueTo: (host) => `Continuar a ${host}`,
  resetMail: {
    advice: 'Si otra persona hizo el cambio, quizá conozca tu contraseña. Elige también una nueva.',
    invitation: 'Escribe tu correo electrónico para recibir un enlace nuevo.',
    label: 'Correo electrónico',
    invalid: 'Escribe un correo electrónico, por ejemplo nombre@example.com.',
    send: 'Enviarme un enlace para una contraseña nueva',
    sent: 'Si hay una cuenta con esta dirección, recibirás un correo con un enlace. Mira en tu bandeja de entrada.',
  },
  refused: {
    incomplete: {
      heading: 'Este enlace está incompleto',
      text: 'Abre otra vez el enlace del correo, o cópialo entero en la barra de direcciones.',
    },
    unknownMode: { heading: 'Este enlace no se reconoce', text: 'Abre otra vez el enlace del correo.' },
    noContinueUrl: {
      heading: 'Este enlace no lleva a ninguna parte',
      text: 'Falta la dirección de la aplicación, o no está permitida. Pide en la aplicación otro enlace para iniciar sesión.',
    },
    wrongProject: {
      heading: 'Este enlace es de otro sitio',
      text: 'Se creó para otra dirección. Abre otra vez el enlace del correo.',
    },
    invalidCode: {
      heading: 'Este enlace ya no es válido',
      text: 'Ya se usó, o lo sustituyó uno más reciente.',
    },
    expiredCode: {
      heading: 'Este enlace ha caducado',
      text: 'Pide uno nuevo; solo es válido por poco tiempo.',
    },
    userDisabled: {
      heading: 'Esta cuenta está inhabilitada',
      text: 'Habla con los responsables de la aplicación si crees que es un error.',
    },
    userNotFound: { heading: 'Esta cuenta no existe', text: 'La cuenta de este enlace se eliminó.' },
    emailTaken: {
      heading: 'Esta dirección está ocupada',
      text: 'Otra cuenta usa ya este correo electrónico, así que no se cambió nada.',
    },
    notAllowed: {
      heading: 'Esto no es posible aquí',
      text: 'Los responsables de la aplicación no permiten este paso por ahora.',
    },
  },
  failed: 'No ha funcionado',
  retry: 'Intentar otra vez',
  problems: {
    weakPassword: 'Esta contraseña es demasiado fácil de adivinar. Elige otra.',
    tooManyAttempts: 'Hubo demasiados intentos. Espera un rato y prueba otra vez.',
    unreachable: 'No se puede conectar con el servidor. Comprueba tu conexión y prueba otra vez.',
    unexpected: 'Algo ha salido mal. Prueba otra vez más tarde.',
  },
};
