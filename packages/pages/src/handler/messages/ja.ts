import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  choose: {
    heading: (provider) => `${provider} でログイン`,
    text: (provider) =>
      `これは開発用サーバーです。${provider} には問い合わせません。ユーザーを選ぶか、新しく作ってください。`,
    known: '以前ログインしたユーザー',
    email: 'メールアドレス（任意）',
    name: '名前（任意）',
    invalidEmail: '有効なメールアドレスを入力するか、空欄にしてください。',
    add: '新しいユーザーとしてログイン',
    cancel: 'キャンセル',
  },
  delivering: 'ログインを完了しています…',
  delivered: { heading: 'ログインしました', text: 'このウィンドウを閉じてかまいません。' },
  problems: {
    incomplete: { heading: 'このアドレスは不完全です', text: 'アプリに戻り、ログインをやり直してください。' },
    wrongProject: {
      heading: '不明なアプリ',
      text: 'このサーバーはアプリの API キーを知りません。開発者の方は、アプリの設定を確認してください。',
    },
    unknownTenant: {
      heading: 'テナントが見つかりません',
      text: 'アプリのプロジェクトに、この ID のテナントはありません。開発者の方は、アプリのテナント ID を確認してください。',
    },
    unknownProvider: {
      heading: '不明なプロバイダー',
      text: 'アプリが存在しないプロバイダーを指定しました。開発者の方は、プロバイダー ID を確認してください。',
    },
    providerDisabled: {
      heading: 'このログイン方法は無効です',
      text: 'アプリに戻り、別の方法でログインしてください。',
    },
    unauthorizedDomain: {
      heading: 'このアプリはここでログインできません',
      text: 'アプリのドメインが承認されていません。開発者の方は、プロジェクトの承認済みドメインに追加してください。',
    },
    unsupported: {
      heading: '対応していません',
      text: 'この種類のログインには対応していません。アプリに戻り、別の方法でログインしてください。',
    },
    expired: {
      heading: 'このログインは無効になりました',
      text: '時間がかかりすぎたか、すでに終了しています。アプリに戻り、やり直してください。',
    },
    otherBrowser: {
      heading: '別のブラウザーで開始されました',
      text: 'ログインは開始したブラウザーで完了する必要があり、Cookie の許可も必要です。アプリに戻り、やり直してください。',
    },
    tooMany: { heading: '同時のログインが多すぎます', text: '数分待ってから、アプリでやり直してください。' },
    providerFailed: {
      heading: 'プロバイダーがログインを確認しませんでした',
      text: 'アプリに戻ってもう一度試すか、別の方法でログインしてください。',
    },
    lost: {
      heading: 'アプリはもう待っていません',
      text: 'ウィンドウが閉じられたか、別のページを表示しています。アプリに戻り、やり直してください。繰り返す場合、アプリではリダイレクトを使えます。',
    },
    noStorage: {
      heading: 'ブラウザーがデータの保存を許可していません',
      text: 'このサイトのデータ保存を許可してから、アプリでやり直してください。',
    },
  },
};
