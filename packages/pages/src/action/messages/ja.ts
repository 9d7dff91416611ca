import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  checking: 'リンクを確認しています…',
  restoredEmail: '復元するメールアドレス',
  phoneFactor: (number) => `電話 ${number}`,
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
  resetAdvice:
    'この変更にお心当たりがない場合は、パスワードも再設定してください。他の人がパスワードを知っている可能性があります。',
  rejected: {
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
};
