import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  currentEmail: '現在のメールアドレス',
  newEmail: '新しいメールアドレス',
  removedFactor: '削除する第 2 要素',
  newPassword: {
    heading: '新しいパスワードを設定',
    text: 'すべてのデバイスからログアウトされます。',
    label: '新しいパスワード',
    show: 'パスワードを表示',
    save: 'パスワードを保存',
    requirements: 'パスワードの要件：',
    met: '満たしています',
    unmet: '満たしていません',
    allMet: 'パスワードはすべての要件を満たしています。',
    missing: 'パスワードが一部の要件を満たしていません。',
    minLength: (count) => `${count} 文字以上`,
    maxLength: (count) => `${count} 文字以下`,
    lowercase: '英小文字（a–z）を含む',
    uppercase: '英大文字（A–Z）を含む',
    digit: '数字（0–9）を含む',
    symbol: '特殊文字（! や ? など）を含む',
  },
};
