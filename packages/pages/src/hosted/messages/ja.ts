import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  signIn: {
    heading: (app) => `${app} にログイン`,
    password: 'パスワード',
    submit: 'ログイン',
    forgot: 'パスワードをお忘れですか？',
    create: 'アカウントを作成',
    passkey: 'パスキーでログイン',
    phone: '電話番号でログイン',
    provider: (name) => `${name} で続行`,
  },
  signUp: {
    name: '名前（任意）',
    heading: 'アカウントを作成',
    submit: '作成する',
    known: '既存のアカウントでログイン',
  },
  phone: { label: '電話番号', send: 'コードを送信' },
  forgot: { heading: 'パスワードの再設定', back: 'ログインに戻る' },
  factor: {
    heading: '本人確認',
    totp: '認証アプリのコード、または復旧コードを入力してください。',
    code: 'コード',
    submit: '確認',
    sendSms: (phone) => `${phone} にコードを送信`,
    smsSent: (phone) => `${phone} にコードを送信しました。ここに入力してください。`,
    other: '別の第 2 要素を使う',
  },
  choose: {
    heading: (app) => `${app} に進む`,
    text: 'この端末でログインしています。',
    submit: '続ける',
    other: '別のアカウントを使う',
  },
  leaving: 'アプリに戻っています…',
  missing: 'この項目を入力してください。',
  problems: {
    wrongPassword: 'メールアドレスまたはパスワードが正しくありません。',
    emailTaken:
      'このメールアドレスのアカウントは既にあります。ログインするか、パスワードを再設定してください。',
    invalidPhone: '国番号から番号を入力してください（例：+81 90 1234 5678）。',
    invalidEmail: '有効なメールアドレスを入力してください（例：name@example.com）。',
    disabled: 'このアカウントは無効です。アプリのサポートにお問い合わせください。',
    notAllowed: '現在、アプリはこの操作を許可していません。',
    wrongCode: 'コードが正しくありません。現在のコードを入力してください。',
    expired: 'コードまたはログインの有効期限が切れました。もう一度お試しください。',
    challenge: 'ブラウザーの確認に失敗しました。ページを再読み込みして、もう一度お試しください。',
    passkeyCancelled: 'パスキーは使われませんでした。もう一度試すか、別の方法でログインしてください。',
    passkeyUnknown: 'このパスキーのアカウントはありません。別の方法でログインしてください。',
    smsRejected: '現在、アプリは SMS を送信できません。',
    providerCanceled: 'ログインがキャンセルされました。',
    providerFailed: '外部サービスでログインが完了しませんでした。もう一度お試しください。',
    accountExists:
      'このメールアドレスのアカウントが既にあります。別の方法でログインすると、両方が連携されます。',
  },
};
