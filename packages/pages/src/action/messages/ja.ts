import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'リンクを確認しています…',
  busy: 'しばらくお待ちください…',
  labels: {
    account: 'アカウント',
    currentEmail: '現在のメールアドレス',
    newEmail: '新しいメールアドレス',
    restoredEmail: '復元するメールアドレス',
    factor: '削除する第 2 要素',
    authenticator: '認証アプリ',
    phone: (number) => `電話 ${number}`,
  },
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
  confirm: {
    verifyEmail: {
      heading: 'メールアドレスの確認',
      text: 'このメールアドレスがご自身のものであることを確認してください。',
      button: 'メールアドレスを確認',
    },
    verifyAndChangeEmail: {
      heading: 'メールアドレスの変更',
      text: '今後は新しいメールアドレスでログインします。',
      button: 'メールアドレスを変更',
    },
    recoverEmail: {
      heading: 'メールアドレスの復元',
      text: 'アカウントのメールアドレスが変更されました。お心当たりがない場合は、以前のメールアドレスを復元してください。',
      button: 'メールアドレスを復元',
    },
    revertSecondFactorAddition: {
      heading: '第 2 要素の削除',
      text: 'アカウントに第 2 要素が追加されました。お心当たりがない場合は、削除してください。',
      button: '第 2 要素を削除',
    },
  },
  done: {
    resetPassword: { heading: 'パスワードを保存しました', text: '新しいパスワードでログインできます。' },
    verifyEmail: {
      heading: 'メールアドレスを確認しました',
      text: '確認済みのメールアドレスを使用できます。',
    },
    verifyAndChangeEmail: {
      heading: 'メールアドレスを変更しました',
      text: '新しいメールアドレスでログインできます。',
    },
    recoverEmail: {
      heading: 'メールアドレスを復元しました',
      text: '以前のメールアドレスで再びログインできます。',
    },
    revertSecondFactorAddition: {
      heading: '第 2 要素を削除しました',
      text: 'ログイン時に求められなくなります。',
    },
  },
  close: 'このページを閉じてかまいません。',
  continueTo: (host) => `${host} に進む`,
  resetMail: {
    advice:
      'この変更にお心当たりがない場合は、パスワードも再設定してください。他の人がパスワードを知っている可能性があります。',
    invitation: '新しいリンクを受け取るには、メールアドレスを入力してください。',
    label: 'メールアドレス',
    invalid: '有効なメールアドレスを入力してください（例：name@example.com）。',
    send: 'パスワード再設定メールを送信',
    sent: 'このメールアドレスのアカウントがある場合、リンクを送信しました。受信トレイをご確認ください。',
  },
  refused: {
    incomplete: {
      heading: 'リンクが不完全です',
      text: 'メールのリンクをもう一度開くか、リンク全体をアドレスバーにコピーしてください。',
    },
    unknownMode: { heading: '無効なリンクです', text: 'メールのリンクをもう一度開いてください。' },
    noContinueUrl: {
      heading: 'このリンクではアプリを開けません',
      text: 'アプリの URL がないか、許可されていません。アプリで新しいログインリンクをリクエストしてください。',
    },
    wrongProject: {
      heading: 'プロジェクトが違います',
      text: 'このリンクは別のプロジェクトのものです。メールのリンクをもう一度開いてください。',
    },
    invalidCode: {
      heading: 'このリンクは無効になりました',
      text: 'このリンクはすでに使用されたか、新しいリンクに置き換えられました。',
    },
    expiredCode: {
      heading: 'リンクの有効期限が切れました',
      text: '新しいリンクをリクエストしてください。リンクの有効期間には限りがあります。',
    },
    userDisabled: {
      heading: 'このアカウントは無効になっています',
      text: '誤りだと思われる場合は、アプリのサポートにお問い合わせください。',
    },
    userNotFound: { heading: 'アカウントが見つかりません', text: 'このリンクのアカウントは削除されました。' },
    emailTaken: {
      heading: 'このメールアドレスはすでに使用されています',
      text: '別のアカウントがこのメールアドレスを使用しています。何も変更されていません。',
    },
    notAllowed: { heading: '許可されていません', text: 'アプリは現在、この操作を許可していません。' },
  },
  failed: 'エラーが発生しました',
  retry: '再試行',
  problems: {
    weakPassword: 'このパスワードは簡単に推測されます。別のパスワードを選択してください。',
    tooManyAttempts: '試行回数が多すぎます。数分待ってから、もう一度お試しください。',
    unreachable: 'サーバーに接続できません。接続を確認して、もう一度お試しください。',
    unexpected: '予期しないエラーが発生しました。後でもう一度お試しください。',
  },
};
