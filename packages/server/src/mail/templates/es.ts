import type { LanguageTexts } from './mail-text.ts';

export const SPANISH: LanguageTexts = {
  greeting: 'Hola, %DISPLAY_NAME%:',
  namelessGreeting: 'Hola:',
  linkHint: 'Si el botón no funciona, abre esta dirección en tu navegador:',
  closing: 'El equipo de %APP_NAME%',
  mails: {
    verifyEmail: {
      subject: 'Verifica tu correo electrónico en %APP_NAME%',
      before: ['Confirma que %EMAIL% es tu dirección de correo electrónico en %APP_NAME%.'],
      button: 'Verificar correo',
      after: ['Si no lo has solicitado, puedes ignorar este mensaje.'],
    },
    resetPassword: {
      subject: 'Restablece tu contraseña de %APP_NAME%',
      before: ['Alguien ha solicitado restablecer la contraseña de tu cuenta de %APP_NAME%, %EMAIL%.'],
      button: 'Restablecer contraseña',
      after: ['Si no has sido tú, puedes ignorar este mensaje. Tu contraseña no cambiará.'],
    },
    changeEmail: {
      subject: 'Confirma tu nuevo correo electrónico en %APP_NAME%',
      before: [
        'Confirma que %NEW_EMAIL% será la nueva dirección de correo electrónico de tu cuenta de %APP_NAME%.',
      ],
      button: 'Confirmar nueva dirección',
      after: ['Si no lo has solicitado, puedes ignorar este mensaje.'],
    },
    emailSignIn: {
      subject: 'Inicia sesión en %APP_NAME%',
      before: [
        'Alguien ha solicitado iniciar sesión en %APP_NAME% con %EMAIL%. Si has sido tú, usa este botón.',
      ],
      button: 'Iniciar sesión',
      after: ['Si no has sido tú, puedes ignorar este mensaje.'],
    },
    recoverEmail: {
      subject: 'Se ha cambiado el correo electrónico de tu cuenta de %APP_NAME%',
      before: [
        'El correo electrónico de tu cuenta de %APP_NAME% ha cambiado de %EMAIL% a %NEW_EMAIL%.',
        'Si no has sido tú, recupera tu dirección y, a continuación, elige una contraseña nueva.',
      ],
      button: 'Recuperar mi dirección',
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    secondFactorAdded: {
      subject: 'Se ha añadido la verificación en dos pasos a tu cuenta de %APP_NAME%',
      before: [
        'Se ha añadido un segundo paso para iniciar sesión en tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, quítalo y, a continuación, elige una contraseña nueva.',
      ],
      button: 'Quitar el segundo paso',
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    secondFactorRemoved: {
      subject: 'Se ha quitado un segundo paso de inicio de sesión de tu cuenta de %APP_NAME%',
      before: [
        'Se ha quitado un segundo paso para iniciar sesión en tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, restablece tu contraseña cuanto antes en %APP_NAME%.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    recoveryCodesMade: {
      subject: 'Se han creado códigos de recuperación nuevos para tu cuenta de %APP_NAME%',
      before: [
        'Se han creado códigos de recuperación nuevos para tu cuenta de %APP_NAME%, %EMAIL%. Los anteriores ya no sirven.',
        'Si no has sido tú, restablece tu contraseña cuanto antes en %APP_NAME%.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    passwordChanged: {
      subject: 'Se ha cambiado la contraseña de tu cuenta de %APP_NAME%',
      before: [
        'Se ha cambiado la contraseña de tu cuenta de %APP_NAME%, %EMAIL%.',
        'Si no has sido tú, restablece tu contraseña cuanto antes en %APP_NAME%.',
      ],
      after: ['Si has sido tú, no tienes que hacer nada.'],
    },
    emailInUse: {
      subject: 'Alguien ha intentado usar tu correo electrónico en %APP_NAME%',
      before: [
        'Alguien ha intentado usar %EMAIL% en otra cuenta de %APP_NAME%. No ha cambiado nada: la dirección pertenece a tu cuenta.',
        'Si has sido tú, inicia sesión en la cuenta que ya tienes. Si has olvidado la contraseña, restablécela allí.',
      ],
      after: ['Si no has sido tú, puedes ignorar este mensaje.'],
    },
  },
};
