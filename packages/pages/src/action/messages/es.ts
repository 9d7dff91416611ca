import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'Comprobando el enlace…',
  restoredEmail: 'Correo electrónico que se restaurará',
  phoneFactor: (number) => `Teléfono ${number}`,
  confirm: {
    verifyEmail: {
      heading: 'Verifica tu correo electrónico',
      text: 'Confirma que este correo electrónico es tuyo.',
      button: 'Verificar correo',
    },
    verifyAndChangeEmail: {
      heading: 'Cambia tu correo electrónico',
      text: 'Iniciarás sesión con la dirección nueva.',
      button: 'Cambiar correo',
    },
    recoverEmail: {
      heading: 'Restaura tu correo electrónico',
      text: 'Se cambió el correo electrónico de tu cuenta. Si no fuiste tú, restaura el anterior.',
      button: 'Restaurar correo',
    },
    revertSecondFactorAddition: {
      heading: 'Quita el segundo factor',
      text: 'Se añadió un segundo factor a tu cuenta. Si no fuiste tú, quítalo.',
      button: 'Quitar el segundo factor',
    },
  },
  done: {
    resetPassword: {
      heading: 'Contraseña guardada',
      text: 'Ya puedes iniciar sesión con tu contraseña nueva.',
    },
    verifyEmail: { heading: 'Correo verificado', text: 'Ya puedes usar tu correo electrónico verificado.' },
    verifyAndChangeEmail: {
      heading: 'Correo cambiado',
      text: 'Ya puedes iniciar sesión con tu correo electrónico nuevo.',
    },
    recoverEmail: {
      heading: 'Correo restaurado',
      text: 'Puedes volver a iniciar sesión con tu correo electrónico anterior.',
    },
    revertSecondFactorAddition: {
      heading: 'Segundo factor quitado',
      text: 'El inicio de sesión ya no lo pide.',
    },
  },
  close: 'Puedes cerrar esta página.',
  continueTo: (host) => `Continuar a ${host}`,
  resetAdvice: 'Si no hiciste este cambio, restablece también tu contraseña. Otra persona podría conocerla.',
  rejected: {
    incomplete: {
      heading: 'Este enlace está incompleto',
      text: 'Abre otra vez el enlace del correo o copia el enlace completo en la barra de direcciones.',
    },
    unknownMode: { heading: 'Enlace no válido', text: 'Abre otra vez el enlace del correo.' },
    noContinueUrl: {
      heading: 'Este enlace no puede abrir la aplicación',
      text: 'Falta la URL de la aplicación o no está permitida. Pide en la aplicación otro enlace de inicio de sesión.',
    },
    wrongProject: {
      heading: 'Proyecto incorrecto',
      text: 'Este enlace es de otro proyecto. Abre otra vez el enlace del correo.',
    },
    invalidCode: {
      heading: 'Este enlace ya no es válido',
      text: 'Este enlace ya se usó o se reemplazó por uno más reciente.',
    },
    expiredCode: {
      heading: 'Este enlace ha caducado',
      text: 'Pide un enlace nuevo. Cada enlace es válido por tiempo limitado.',
    },
    userDisabled: {
      heading: 'Esta cuenta está inhabilitada',
      text: 'Si crees que es un error, contacta con el soporte de la aplicación.',
    },
    userNotFound: { heading: 'Cuenta no encontrada', text: 'Se eliminó la cuenta de este enlace.' },
    emailTaken: {
      heading: 'Correo ya en uso',
      text: 'Otra cuenta usa este correo electrónico. No se cambió nada.',
    },
    notAllowed: {
      heading: 'No permitido',
      text: 'La aplicación no permite esta acción en este momento.',
    },
  },
  failed: 'Algo ha salido mal',
  retry: 'Reintentar',
};
