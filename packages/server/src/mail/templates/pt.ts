import type { LanguageTexts } from './mail-text.ts';

export const PORTUGUESE: LanguageTexts = {
  greeting: 'Olá, %DISPLAY_NAME%,',
  namelessGreeting: 'Olá,',
  linkHint: 'Se o botão não funcionar, abra este endereço no navegador:',
  closing: 'Equipe %APP_NAME%',
  mails: {
    verifyEmail: {
      subject: 'Confirme seu e-mail no %APP_NAME%',
      before: ['Confirme que %EMAIL% é o seu endereço de e-mail no %APP_NAME%.'],
      button: 'Confirmar e-mail',
      after: ['Se você não fez essa solicitação, ignore esta mensagem.'],
    },
    resetPassword: {
      subject: 'Redefina sua senha do %APP_NAME%',
      before: ['Alguém pediu para redefinir a senha da sua conta do %APP_NAME%, %EMAIL%.'],
      button: 'Redefinir senha',
      after: ['Se não foi você, ignore esta mensagem. Sua senha continua a mesma.'],
    },
    changeEmail: {
      subject: 'Confirme seu novo e-mail no %APP_NAME%',
      before: ['Confirme que %NEW_EMAIL% será o novo endereço de e-mail da sua conta do %APP_NAME%.'],
      button: 'Confirmar novo endereço',
      after: ['Se você não fez essa solicitação, ignore esta mensagem.'],
    },
    emailSignIn: {
      subject: 'Entre no %APP_NAME%',
      before: ['Alguém pediu para entrar no %APP_NAME% com %EMAIL%. Se foi você, use este botão.'],
      button: 'Entrar',
      after: ['Se não foi você, ignore esta mensagem.'],
    },
    recoverEmail: {
      subject: 'O e-mail da sua conta do %APP_NAME% foi alterado',
      before: [
        'O endereço de e-mail da sua conta do %APP_NAME% foi alterado de %EMAIL% para %NEW_EMAIL%.',
        'Se não foi você, recupere seu endereço e, em seguida, escolha uma nova senha.',
      ],
      button: 'Recuperar meu endereço',
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    secondFactorAdded: {
      subject: 'A verificação em duas etapas foi adicionada à sua conta do %APP_NAME%',
      before: [
        'Uma segunda etapa de login foi adicionada à sua conta do %APP_NAME%, %EMAIL%.',
        'Se não foi você, remova-a e, em seguida, escolha uma nova senha.',
      ],
      button: 'Remover a segunda etapa',
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    secondFactorRemoved: {
      subject: 'Uma segunda etapa de login foi removida da sua conta do %APP_NAME%',
      before: [
        'Uma segunda etapa de login foi removida da sua conta do %APP_NAME%, %EMAIL%.',
        'Se não foi você, redefina sua senha imediatamente no %APP_NAME%.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    recoveryCodesMade: {
      subject: 'Novos códigos de recuperação foram criados para a sua conta do %APP_NAME%',
      before: [
        'Novos códigos de recuperação foram criados para a sua conta do %APP_NAME%, %EMAIL%. Os anteriores não valem mais.',
        'Se não foi você, redefina sua senha imediatamente no %APP_NAME%.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    passwordChanged: {
      subject: 'A senha da sua conta do %APP_NAME% foi alterada',
      before: [
        'A senha da sua conta do %APP_NAME%, %EMAIL%, foi alterada.',
        'Se não foi você, redefina sua senha imediatamente no %APP_NAME%.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    emailInUse: {
      subject: 'Alguém tentou usar seu e-mail no %APP_NAME%',
      before: [
        'Alguém tentou usar %EMAIL% em outra conta do %APP_NAME%. Nada mudou: o endereço pertence à sua conta.',
        'Se foi você, entre na conta que já tem. Se esqueceu a senha, redefina-a por lá.',
      ],
      after: ['Se não foi você, ignore esta mensagem.'],
    },
  },
};
