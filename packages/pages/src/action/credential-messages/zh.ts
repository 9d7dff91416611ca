import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: '当前电子邮件地址',
  newEmail: '新电子邮件地址',
  removedFactor: '要移除的第二重身份验证',
  newPassword: {
    heading: '设置新密码',
    text: '您将在所有设备上退出登录。',
    label: '新密码',
    show: '显示密码',
    save: '保存密码',
    requirements: '密码要求：',
    met: '已满足',
    unmet: '未满足',
    allMet: '密码符合所有要求。',
    missing: '密码未满足所有要求。',
    minLength: (count) => `至少 ${count} 个字符`,
    maxLength: (count) => `最多 ${count} 个字符`,
    lowercase: '一个小写字母（a–z）',
    uppercase: '一个大写字母（A–Z）',
    digit: '一个数字（0–9）',
    symbol: '一个特殊字符，例如 ! 或 ?',
  },
};
