import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'しばらくお待ちください…',
  labels: {
    account: 'アカウント',
    authenticator: '認証アプリ',
  },
  resetMail: {
    invitation: '新しいリンクを受け取るには、メールアドレスを入力してください。',
    label: 'メールアドレス',
    invalid: '有効なメールアドレスを入力してください（例：name@example.com）。',
    send: 'パスワード再設定メールを送信',
    sent: 'このメールアドレスのアカウントがある場合、リンクを送信しました。受信トレイをご確認ください。',
  },
  problems: {
    weakPassword: 'このパスワードは簡単に推測されます。別のパスワードを選択してください。',
    tooManyAttempts: '試行回数が多すぎます。数分待ってから、もう一度お試しください。',
    unreachable: 'サーバーに接続できません。接続を確認して、もう一度お試しください。',
    unexpected: '予期しないエラーが発生しました。後でもう一度お試しください。',
  },
};
