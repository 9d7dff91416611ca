import type { LanguageTexts } from './language.ts';

export const CHINESE: LanguageTexts = {
  greeting: '%DISPLAY_NAME%，您好：',
  namelessGreeting: '您好：',
  linkHint: '如果按钮无法使用，请在浏览器中打开以下链接：',
  validity: '链接的有效期为 %VALID_FOR%。',
  closing: '%APP_NAME% 团队',
  mails: {
    verifyEmail: {
      subject: '验证您在 %APP_NAME% 的电子邮箱',
      before: ['请确认 %EMAIL% 是您在 %APP_NAME% 使用的电子邮箱。'],
      button: '验证邮箱',
      after: ['如果您没有提出此请求，请忽略本邮件。'],
    },
    resetPassword: {
      subject: '重置您的 %APP_NAME% 密码',
      before: ['我们收到了重置您的 %APP_NAME% 帐号 %EMAIL% 密码的请求。'],
      button: '重置密码',
      after: ['如果不是您本人操作，请忽略本邮件，您的密码不会改变。'],
    },
    changeEmail: {
      subject: '确认您在 %APP_NAME% 的新电子邮箱',
      before: ['请确认将 %NEW_EMAIL% 设为您的 %APP_NAME% 帐号的新电子邮箱。'],
      button: '确认新邮箱',
      after: ['如果您没有提出此请求，请忽略本邮件。'],
    },
    emailSignIn: {
      subject: '登录 %APP_NAME%',
      before: ['我们收到了使用 %EMAIL% 登录 %APP_NAME% 的请求。如果是您本人操作，请点击下面的按钮。'],
      button: '登录',
      after: ['如果不是您本人操作，请忽略本邮件。'],
    },
    recoverEmail: {
      subject: '您的 %APP_NAME% 帐号的电子邮箱已更改',
      before: [
        '您的 %APP_NAME% 帐号的电子邮箱已从 %EMAIL% 更改为 %NEW_EMAIL%。',
        '如果不是您本人操作，请先恢复原邮箱，然后设置新密码。',
      ],
      button: '恢复原邮箱',
      after: ['如果是您本人操作，则无需处理。'],
    },
    secondFactorAdded: {
      subject: '您的 %APP_NAME% 帐号已添加两步验证',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 已添加第二步登录验证。',
        '如果不是您本人操作，请先移除该验证，然后设置新密码。',
      ],
      button: '移除第二步验证',
      after: ['如果是您本人操作，则无需处理。'],
    },
    secondFactorRemoved: {
      subject: '您的 %APP_NAME% 帐号已移除第二步登录验证',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 已移除第二步登录验证。',
        '如果不是您本人操作，请立即在 %APP_NAME% 中重置密码。',
      ],
      after: ['如果是您本人操作，则无需处理。'],
    },
    recoveryCodesMade: {
      subject: '您的 %APP_NAME% 帐号已生成新的恢复代码',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 已生成新的恢复代码，之前的恢复代码不再有效。',
        '如果不是您本人操作，请立即在 %APP_NAME% 中重置密码。',
      ],
      after: ['如果是您本人操作，则无需处理。'],
    },
    recoveryCodeUsed: {
      subject: '有人使用恢复代码登录了您的 %APP_NAME% 帐号',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 在登录时使用了恢复代码代替第二重验证。该代码不再有效。',
        '如果不是您本人操作，请立即在 %APP_NAME% 中重置密码，并生成新的恢复代码。',
      ],
      after: ['如果是您本人操作，请在恢复代码用完之前生成新的恢复代码。'],
    },
    passwordChanged: {
      subject: '您的 %APP_NAME% 帐号密码已更改',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 的密码已更改。',
        '如果不是您本人操作，请立即在 %APP_NAME% 中重置密码。',
      ],
      after: ['如果是您本人操作，则无需处理。'],
    },
    phoneNumberChanged: {
      subject: '您的 %APP_NAME% 帐号电话号码已更改',
      before: [
        '您用于登录 %APP_NAME% 帐号 %EMAIL% 的电话号码已更改或添加。',
        '如果不是您本人操作，请立即在 %APP_NAME% 中重置密码。',
      ],
      after: ['如果是您本人操作，则无需处理。'],
    },
    passkeyAdded: {
      subject: '您的 %APP_NAME% 帐号添加了通行密钥',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 添加了一个通行密钥，可用于免密码登录。',
        '如果不是您本人操作，请立即登录 %APP_NAME%，移除该通行密钥并更改密码。',
      ],
      after: ['如果是您本人操作，则无需处理。'],
    },
    passkeyRemoved: {
      subject: '您的 %APP_NAME% 帐号移除了通行密钥',
      before: [
        '您的 %APP_NAME% 帐号 %EMAIL% 移除了一个通行密钥，该密钥不能再用于登录。',
        '如果不是您本人操作，请立即在 %APP_NAME% 中重置密码。',
      ],
      after: ['如果是您本人操作，则无需处理。'],
    },
    emailInUse: {
      subject: '有人尝试在 %APP_NAME% 使用您的电子邮箱',
      before: [
        '有人尝试将 %EMAIL% 用于另一个 %APP_NAME% 帐号。该邮箱属于您的帐号，没有任何更改。',
        '如果是您本人操作，请登录您已有的帐号。如果忘记了密码，可以在登录时重置。',
      ],
      after: ['如果不是您本人操作，请忽略本邮件。'],
    },
  },
};
