import type { LanguageTexts } from './language.ts';

export const PORTUGUESE: LanguageTexts = {
  greeting: 'Olá, %DISPLAY_NAME%,',
  namelessGreeting: 'Olá,',
  linkHint: 'Se o botão não funcionar, abra este link no navegador:',
  validity: 'O link é válido por %VALID_FOR%.',
  closing: 'Equipe %APP_NAME%',
  mails: {
    verifyEmail: {
      subject: 'Confirme seu e-mail no %APP_NAME%',
      before: ['Confirme que %EMAIL% é o seu endereço de e-mail no %APP_NAME%.'],
      button: 'Confirmar e-mail',
      after: ['Se você não fez essa solicitação, pode ignorar este e-mail.'],
    },
    resetPassword: {
      subject: 'Redefina sua senha do %APP_NAME%',
      before: ['Recebemos uma solicitação para redefinir a senha da sua conta do %APP_NAME%, %EMAIL%.'],
      button: 'Redefinir senha',
      after: ['Se não foi você, pode ignorar este e-mail. Sua senha não muda.'],
    },
    changeEmail: {
      subject: 'Confirme seu novo e-mail no %APP_NAME%',
      before: ['Confirme que %NEW_EMAIL% é o novo endereço de e-mail da sua conta do %APP_NAME%.'],
      button: 'Confirmar novo e-mail',
      after: ['Se você não fez essa solicitação, pode ignorar este e-mail.'],
    },
    emailSignIn: {
      subject: 'Entre no %APP_NAME%',
      before: [
        'Recebemos uma solicitação para entrar no %APP_NAME% com %EMAIL%. Se foi você, clique no botão.',
      ],
      button: 'Entrar',
      after: ['Se não foi você, pode ignorar este e-mail.'],
    },
    recoverEmail: {
      subject: 'O e-mail da sua conta do %APP_NAME% foi alterado',
      before: [
        'O endereço de e-mail da sua conta do %APP_NAME% foi alterado de %EMAIL% para %NEW_EMAIL%.',
        'Se não foi você, restaure seu e-mail e, em seguida, escolha uma nova senha.',
      ],
      button: 'Restaurar e-mail',
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    secondFactorAdded: {
      subject: 'Um segundo fator foi adicionado à sua conta do %APP_NAME%',
      before: [
        'Um segundo fator foi adicionado à sua conta do %APP_NAME%, %EMAIL%.',
        'Se não foi você, remova-o e, em seguida, escolha uma nova senha.',
      ],
      button: 'Remover o segundo fator',
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    secondFactorRemoved: {
      subject: 'Um segundo fator foi removido da sua conta do %APP_NAME%',
      before: [
        'Um segundo fator foi removido da sua conta do %APP_NAME%, %EMAIL%.',
        'Se não foi você, redefina sua senha no %APP_NAME% imediatamente.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    recoveryCodesMade: {
      subject: 'Novos códigos de recuperação foram criados para a sua conta do %APP_NAME%',
      before: [
        'Novos códigos de recuperação foram criados para a sua conta do %APP_NAME%, %EMAIL%. Os códigos anteriores não funcionam mais.',
        'Se não foi você, redefina sua senha no %APP_NAME% imediatamente.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    recoveryCodeUsed: {
      subject: 'Um código de recuperação foi usado para entrar na sua conta do %APP_NAME%',
      before: [
        'Um código de recuperação foi usado, em vez de um segundo fator, para entrar na sua conta do %APP_NAME%, %EMAIL%. O código não funciona mais.',
        'Se não foi você, redefina sua senha no %APP_NAME% imediatamente e crie novos códigos de recuperação.',
      ],
      after: ['Se foi você, crie novos códigos de recuperação antes que eles acabem.'],
    },
    passwordChanged: {
      subject: 'A senha da sua conta do %APP_NAME% foi alterada',
      before: [
        'A senha da sua conta do %APP_NAME%, %EMAIL%, foi alterada.',
        'Se não foi você, redefina sua senha no %APP_NAME% imediatamente.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    phoneNumberChanged: {
      subject: 'O número de telefone da sua conta do %APP_NAME% foi alterado',
      before: [
        'O número de telefone com que você entra na sua conta do %APP_NAME%, %EMAIL%, foi alterado ou adicionado.',
        'Se não foi você, redefina sua senha no %APP_NAME% imediatamente.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    passkeyAdded: {
      subject: 'Uma chave de acesso foi adicionada à sua conta do %APP_NAME%',
      before: [
        'Uma chave de acesso foi adicionada à sua conta do %APP_NAME%, %EMAIL%. Com ela é possível entrar sem senha.',
        'Se não foi você, entre no %APP_NAME% imediatamente, remova a chave de acesso e altere sua senha.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    passkeyRemoved: {
      subject: 'Uma chave de acesso foi removida da sua conta do %APP_NAME%',
      before: [
        'Uma chave de acesso foi removida da sua conta do %APP_NAME%, %EMAIL%. Não é mais possível entrar com ela.',
        'Se não foi você, redefina sua senha no %APP_NAME% imediatamente.',
      ],
      after: ['Se foi você, não é preciso fazer nada.'],
    },
    emailInUse: {
      subject: 'Seu e-mail já é usado no %APP_NAME%',
      before: [
        'Recebemos uma solicitação para usar %EMAIL% em outra conta do %APP_NAME%. Nada foi alterado, porque sua conta já usa este endereço.',
        'Se foi você, entre na conta que já tem. Se esqueceu a senha, redefina-a por lá.',
      ],
      after: ['Se não foi você, pode ignorar este e-mail.'],
    },
  },
};
