import type { LanguageTexts } from './language.ts';

export const SPANISH: LanguageTexts = {
  greeting: 'Hola, %DISPLAY_NAME%:',
  namelessGreeting: 'Hola:',
  linkHint: 'Si el botón no funciona, abre este enlace en tu navegador:',
  validity: 'El enlace es válido durante %VALID_FOR%.',
  closing: 'El equipo de %APP_NAME%',
  mails: {
    verifyEmail: {
      subject: 'Verifica tu correo electrónico en %APP_NAME%',
      before: ['Confirma que %EMAIL% es tu dirección de correo electrónico en %APP_NAME%.'],
      button: 'Verificar correo',
      after: ['Si no lo has solicitado, puedes ignorar este correo.'],
    },
    resetPassword: {
      subject: 'Restablece tu contraseña de %APP_NAME%',
      before: [
        'Hemos recibido una solicitud para restablecer la contraseña de tu cuenta de %APP_NAME%, %EMAIL%.',
      ],
      button: 'Restablecer contraseña',
      after: ['Si no has sido tú, puedes ignorar este correo. Tu contraseña no cambia.'],
    },
    changeEmail: {
      subject: 'Confirma tu nuevo correo electrónico en %APP_NAME%',
      before: [
        'Confirma que %NEW_EMAIL% es la nueva dirección de correo electrónico de tu cuenta de %APP_NAME%.',
      ],
      button: 'Confirmar nuevo correo electrónico',
      after: ['Si no lo has solicitado, puedes ignorar este correo.'],
    },
    emailSignIn: {
      subject: 'Inicia sesión en %APP_NAME%',
      before: [
        'Hemos recibido una solicitud para iniciar sesión en %APP_NAME% con %EMAIL%. Si has sido tú, haz clic en el botón.',
      ],
      button: 'Iniciar sesión',
      after: ['Si no has sido tú, puedes ignorar este correo.'],
    },
    recoverEmail: {
      subject: 'Se ha cambiado el correo electrónico de tu cuenta de %APP_NAME%',
      before: [
        'El correo electrónico de tu cuenta de %APP_NAME% ha cambiado de %EMAIL% a %NEW_EMAIL%.',
        'Si no has sido tú, restaura tu correo electrónico y, después, elige una contraseña nueva.',
      ],
      button: 'Restaurar correo electrónico',
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    secondFactorAdded: {
      subject: 'Se ha añadido un segundo factor a tu cuenta de %APP_NAME%',
      before: [
        'Se ha añadido un segundo factor a tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, quítalo y, después, elige una contraseña nueva.',
      ],
      button: 'Quitar el segundo factor',
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    secondFactorRemoved: {
      subject: 'Se ha quitado un segundo factor de tu cuenta de %APP_NAME%',
      before: [
        'Se ha quitado un segundo factor de tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, restablece tu contraseña en %APP_NAME% de inmediato.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    recoveryCodesMade: {
      subject: 'Se han creado códigos de recuperación nuevos para tu cuenta de %APP_NAME%',
      before: [
        'Se han creado códigos de recuperación nuevos para tu cuenta de %APP_NAME%, %EMAIL%. Los códigos anteriores ya no funcionan.',
        'Si no has sido tú, restablece tu contraseña en %APP_NAME% de inmediato.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    recoveryCodeUsed: {
      subject: 'Se ha usado un código de recuperación para iniciar sesión en tu cuenta de %APP_NAME%',
      before: [
        'Se ha usado un código de recuperación en lugar de un segundo factor para iniciar sesión en tu cuenta de %APP_NAME%, %EMAIL%. El código ya no funciona.',
        'Si no has sido tú, restablece tu contraseña en %APP_NAME% de inmediato y crea códigos de recuperación nuevos.',
      ],
      after: ['Si has sido tú, crea códigos de recuperación nuevos antes de que se te acaben.'],
    },
    passwordChanged: {
      subject: 'Se ha cambiado la contraseña de tu cuenta de %APP_NAME%',
      before: [
        'Se ha cambiado la contraseña de tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, restablece tu contraseña en %APP_NAME% de inmediato.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    phoneNumberChanged: {
      subject: 'Se ha cambiado el número de teléfono de tu cuenta de %APP_NAME%',
      before: [
        'Se ha cambiado o añadido el número de teléfono con el que inicias sesión en tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, restablece tu contraseña en %APP_NAME% de inmediato.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    passkeyAdded: {
      subject: 'Se ha añadido una llave de acceso a tu cuenta de %APP_NAME%',
      before: [
        'Se ha añadido una llave de acceso a tu cuenta de %APP_NAME%, %EMAIL%. Con ella se puede iniciar sesión sin contraseña.',
        'Si no has sido tú, inicia sesión en %APP_NAME% de inmediato, elimina la llave de acceso y cambia tu contraseña.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    passkeyRemoved: {
      subject: 'Se ha eliminado una llave de acceso de tu cuenta de %APP_NAME%',
      before: [
        'Se ha eliminado una llave de acceso de tu cuenta de %APP_NAME%, %EMAIL%. Ya no se puede iniciar sesión con ella.',
        'Si no has sido tú, restablece tu contraseña en %APP_NAME% de inmediato.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    emailInUse: {
      subject: 'Tu correo electrónico ya se usa en %APP_NAME%',
      before: [
        'Hemos recibido una solicitud para usar %EMAIL% en otra cuenta de %APP_NAME%. No ha cambiado nada, porque tu cuenta ya usa esta dirección.',
        'Si has sido tú, inicia sesión en tu cuenta existente. Si has olvidado la contraseña, restablécela allí.',
      ],
      after: ['Si no has sido tú, puedes ignorar este correo.'],
    },
  },
};
