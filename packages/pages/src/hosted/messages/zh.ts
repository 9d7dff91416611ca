import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `登录 ${app}`,
    password: '密码',
    submit: '登录',
    forgot: '忘记密码？',
    create: '创建账号',
    passkey: '使用通行密钥登录',
  },
  signUp: { name: '姓名（选填）', heading: '创建账号', submit: '创建账号', known: '使用已有账号登录' },
  forgot: { heading: '重置密码', back: '返回登录' },
  factor: {
    heading: '确认是您本人',
    totp: '请输入身份验证器应用的验证码，或一个恢复码。',
    code: '验证码',
    submit: '确认',
    sendSms: (phone) => `发送验证码到 ${phone}`,
    smsSent: (phone) => `验证码已发送到 ${phone}，请在此输入。`,
    other: '使用其他第二重验证',
  },
  choose: {
    heading: (app) => `继续前往 ${app}`,
    text: '您已在此设备上登录。',
    submit: '继续',
    other: '使用其他账号',
  },
  leaving: '正在返回应用…',
  missing: '请填写此项。',
  problems: {
    wrongPassword: '电子邮件地址或密码不正确。',
    emailTaken: '此电子邮件地址已有账号。请登录或重置密码。',
    invalidEmail: '请输入有效的电子邮件地址，例如 name@example.com。',
    disabled: '此账号已停用。请联系应用的客服。',
    notAllowed: '应用目前不允许此操作。',
    wrongCode: '验证码不正确。请输入当前的验证码。',
    expired: '等待时间过长。请重新登录。',
    challenge: '浏览器检查失败。请重新加载页面后再试。',
    passkeyCancelled: '未使用通行密钥。请重试，或用其他方式登录。',
    passkeyUnknown: '没有账号使用此通行密钥。请用其他方式登录。',
    smsRejected: '应用目前无法发送短信。',
  },
};
