import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: '请稍候…',
  labels: {
    account: '账号',
    authenticator: '身份验证器应用',
  },
  resetMail: {
    invitation: '请输入您的电子邮件地址，以获取新链接。',
    label: '电子邮件地址',
    invalid: '请输入有效的电子邮件地址，例如 name@example.com。',
    send: '发送密码重置邮件',
    sent: '如果此地址有对应的账号，我们已向其发送链接。请查看您的收件箱。',
  },
  problems: {
    weakPassword: '此密码太容易被猜到。请选择其他密码。',
    tooManyAttempts: '尝试次数过多。请等待几分钟，然后重试。',
    unreachable: '无法连接到服务器。请检查您的网络连接，然后重试。',
    unexpected: '发生意外错误。请稍后重试。',
  },
};
