import type { Messages } from './messages.ts';

export const JA: Messages = {
  checking: 'リンクを確認しています…',
  busy: 'しばらくお待ちください…',
  labels: {
    account: 'アカウント',
    currentEmail: '現在のメールアドレス',
    newEmail: '新しいメールアドレス',
    restoredEmail: '元に戻すメールアドレス',
    factor: '削除する 2 段階目の確認',
    authenticator: '認証アプリ',
    phone: (number) => `電話 ${number}`,
  },
  newPassword: {
    heading: '新しいパスワードの設定',
    text: 'すべての端末からログアウトします。',
    label: '新しいパスワード',
    show: 'パスワードを表示',
    save: 'パスワードを保存',
    requirements: 'パスワードの条件：',
    met: '満たしています',
    unmet: '満たしていません',
    allMet: 'パスワードはすべての条件を満たしています。',
    missing: 'パスワードがまだ条件を満たしていません。',
    minLength: (count) => `${count} 文字以上`,
    maxLength: (count) => `${count} 文字以下`,
    lowercase: '英小文字（a–z）を含む',
    uppercase: '英大文字（A–Z）を含む',
    digit: '数字（0–9）を含む',
    symbol: '! や ? などの記号を含む',
  },
  confirm: {
    verifyEmail: {
      heading: 'メールアドレスの確認',
      text: 'ボタンを押して、このアドレスがご自身のものであることを確認してください。',
      button: 'アドレスを確認',
    },
    verifyAndChangeEmail: {
      heading: 'メールアドレスの変更',
      text: '今後は新しいアドレスでログインします。',
      button: 'アドレスを変更',
    },
    recoverEmail: {
      heading: 'メールアドレスの復元',
      text: 'アカウントのアドレスが変更されました。お心当たりがない場合は、元のアドレスに戻してください。',
      button: 'アドレスを元に戻す',
    },
    revertSecondFactorAddition: {
      heading: '2 段階目の確認の削除',
      text: 'アカウントに、ログイン時の 2 段階目の確認が追加されました。お心当たりがない場合は、削除してください。',
      button: '2 段階目の確認を削除',
    },
  },
  done: {
    resetPassword: { heading: 'パスワードを保存しました', text: '新しいパスワードでログインできます。' },
    verifyEmail: {
      heading: 'アドレスを確認しました',
      text: 'ありがとうございます。メールアドレスを確認しました。',
    },
    verifyAndChangeEmail: {
      heading: 'アドレスを変更しました',
      text: '今後は新しいメールアドレスでログインしてください。',
    },
    recoverEmail: { heading: 'アドレスを元に戻しました', text: '元のメールアドレスで再びログインできます。' },
    revertSecondFactorAddition: {
      heading: '2 段階目の確認を削除しました',
      text: '今後、ログイン時にこの確認は求められません。',
    },
  },
  close: 'このページを閉じてかまいません。',
  continueTo: (host) => `${host} に進む`,
  resetMail: {
    advice:
      '他の人が変更した場合、その人はパスワードを知っている可能性があります。新しいパスワードも設定してください。',
    invitation: '新しいリンクを受け取るには、メールアドレスを入力してください。',
    label: 'メールアドレス',
    invalid: 'メールアドレスを入力してください（例：name@example.com）。',
    send: '新しいパスワード用のリンクを送信',
    sent: 'このアドレスのアカウントがあれば、リンクを記載したメールをお送りします。受信トレイをご確認ください。',
  },
  refused: {
    incomplete: {
      heading: 'リンクが不完全です',
      text: 'メールのリンクをもう一度開くか、リンク全体をアドレスバーに貼り付けてください。',
    },
    unknownMode: { heading: '不明なリンクです', text: 'メールのリンクをもう一度開いてください。' },
    noContinueUrl: {
      heading: 'リンクの行き先がありません',
      text: 'アプリのアドレスがないか、許可されていません。アプリで新しいログイン用リンクを取得してください。',
    },
    wrongProject: {
      heading: '別の場所のリンクです',
      text: '別のアドレス用に作成されたリンクです。メールのリンクをもう一度開いてください。',
    },
    invalidCode: {
      heading: 'このリンクは無効になりました',
      text: 'すでに使用されたか、新しいリンクに置き換えられました。',
    },
    expiredCode: {
      heading: 'リンクの有効期限が切れました',
      text: '新しいリンクを取得してください。リンクは短時間だけ有効です。',
    },
    userDisabled: {
      heading: 'このアカウントは無効です',
      text: '誤りだと思われる場合は、アプリの運営者にお問い合わせください。',
    },
    userNotFound: { heading: 'アカウントがありません', text: 'このリンクのアカウントは削除されました。' },
    emailTaken: {
      heading: 'このアドレスは使用されています',
      text: '別のアカウントがこのメールアドレスを使用しているため、何も変更していません。',
    },
    notAllowed: { heading: 'ここでは行えません', text: 'アプリの運営者は現在この操作を許可していません。' },
  },
  failed: 'うまくいきませんでした',
  retry: 'もう一度試す',
  problems: {
    weakPassword: 'このパスワードは推測されやすいものです。別のパスワードにしてください。',
    tooManyAttempts: '試行回数が多すぎます。しばらく待ってから、もう一度お試しください。',
    unreachable: 'サーバーに接続できません。接続を確認して、もう一度お試しください。',
    unexpected: '問題が発生しました。後でもう一度お試しください。',
  },
};
