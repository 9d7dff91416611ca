import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: '正在检查链接…',
  restoredEmail: '要恢复的电子邮件地址',
  phoneFactor: (number) => `手机 ${number}`,
  confirm: {
    verifyEmail: {
      heading: '验证您的电子邮件地址',
      text: '请确认这是您的电子邮件地址。',
      button: '验证电子邮件',
    },
    verifyAndChangeEmail: {
      heading: '更改您的电子邮件地址',
      text: '之后您将使用新地址登录。',
      button: '更改电子邮件',
    },
    recoverEmail: {
      heading: '恢复您的电子邮件地址',
      text: '您账号的电子邮件地址已更改。如果不是您本人操作，请恢复之前的地址。',
      button: '恢复电子邮件',
    },
    revertSecondFactorAddition: {
      heading: '移除第二重身份验证',
      text: '您的账号已添加第二重身份验证。如果不是您本人操作，请将其移除。',
      button: '移除第二重身份验证',
    },
  },
  done: {
    resetPassword: { heading: '密码已保存', text: '您现在可以使用新密码登录。' },
    verifyEmail: { heading: '电子邮件已验证', text: '您现在可以使用已验证的电子邮件地址。' },
    verifyAndChangeEmail: { heading: '电子邮件已更改', text: '您现在可以使用新的电子邮件地址登录。' },
    recoverEmail: { heading: '电子邮件已恢复', text: '您可以重新使用之前的电子邮件地址登录。' },
    revertSecondFactorAddition: { heading: '第二重身份验证已移除', text: '登录时不再要求进行此验证。' },
  },
  close: '您可以关闭此页面。',
  continueTo: (host) => `继续前往 ${host}`,
  resetAdvice: '如果此更改不是您本人操作，请同时重置密码，因为其他人可能知道您的密码。',
  rejected: {
    incomplete: { heading: '此链接不完整', text: '请重新打开邮件中的链接，或将完整链接复制到地址栏。' },
    unknownMode: { heading: '链接无效', text: '请重新打开邮件中的链接。' },
    noContinueUrl: {
      heading: '此链接无法打开应用',
      text: '应用的网址缺失或不被允许。请在应用中重新获取登录链接。',
    },
    wrongProject: { heading: '项目有误', text: '此链接属于其他项目。请重新打开邮件中的链接。' },
    invalidCode: { heading: '此链接已失效', text: '此链接已被使用，或已被更新的链接取代。' },
    expiredCode: { heading: '此链接已过期', text: '请重新获取链接。每个链接仅在有限时间内有效。' },
    userDisabled: { heading: '此账号已停用', text: '如果您认为这是误操作，请联系应用的支持团队。' },
    userNotFound: { heading: '找不到账号', text: '此链接对应的账号已被删除。' },
    emailTaken: { heading: '电子邮件已被使用', text: '此电子邮件地址已被其他账号使用。未进行任何更改。' },
    notAllowed: { heading: '不允许', text: '应用目前不允许此操作。' },
  },
  failed: '出了点问题',
  retry: '重试',
};
