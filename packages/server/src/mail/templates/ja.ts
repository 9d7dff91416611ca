import type { LanguageTexts } from './language.ts';

export const JAPANESE: LanguageTexts = {
  greeting: '%DISPLAY_NAME% 様',
  namelessGreeting: 'こんにちは。',
  linkHint: 'ボタンが使えない場合は、次のリンクをブラウザで開いてください。',
  validity: 'リンクの有効期間は %VALID_FOR%です。',
  closing: '%APP_NAME% チーム',
  mails: {
    verifyEmail: {
      subject: '%APP_NAME% のメールアドレスの確認',
      before: ['%EMAIL% が %APP_NAME% でお使いのメールアドレスであることを確認してください。'],
      button: 'メールアドレスを確認',
      after: ['お心当たりがない場合は、このメールを無視してください。'],
    },
    resetPassword: {
      subject: '%APP_NAME% のパスワードの再設定',
      before: ['%APP_NAME% のアカウント %EMAIL% について、パスワード再設定のリクエストを受け付けました。'],
      button: 'パスワードを再設定',
      after: ['お心当たりがない場合は、このメールを無視してください。パスワードは変更されません。'],
    },
    changeEmail: {
      subject: '%APP_NAME% の新しいメールアドレスの確認',
      before: ['%NEW_EMAIL% を %APP_NAME% のアカウントの新しいメールアドレスにすることを確認してください。'],
      button: '新しいアドレスを確認',
      after: ['お心当たりがない場合は、このメールを無視してください。'],
    },
    emailSignIn: {
      subject: '%APP_NAME% へのログイン',
      before: [
        '%EMAIL% での %APP_NAME% へのログインのリクエストを受け付けました。ご本人の場合は、次のボタンを押してください。',
      ],
      button: 'ログイン',
      after: ['お心当たりがない場合は、このメールを無視してください。'],
    },
    recoverEmail: {
      subject: '%APP_NAME% のアカウントのメールアドレスが変更されました',
      before: [
        '%APP_NAME% のアカウントのメールアドレスが %EMAIL% から %NEW_EMAIL% に変更されました。',
        'お心当たりがない場合は、アドレスを元に戻したうえで、新しいパスワードを設定してください。',
      ],
      button: 'アドレスを元に戻す',
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    secondFactorAdded: {
      subject: '%APP_NAME% のアカウントに 2 段階認証が追加されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% に、ログイン時の 2 段階目の認証が追加されました。',
        'お心当たりがない場合は、これを削除したうえで、新しいパスワードを設定してください。',
      ],
      button: '2 段階目の認証を削除',
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    secondFactorRemoved: {
      subject: '%APP_NAME% のアカウントから 2 段階目の認証が削除されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% から、ログイン時の 2 段階目の認証が削除されました。',
        'お心当たりがない場合は、すぐに %APP_NAME% でパスワードを再設定してください。',
      ],
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    recoveryCodesMade: {
      subject: '%APP_NAME% のアカウントの新しい復旧コードが作成されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% の新しい復旧コードが作成されました。以前のコードは使用できません。',
        'お心当たりがない場合は、すぐに %APP_NAME% でパスワードを再設定してください。',
      ],
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    recoveryCodeUsed: {
      subject: '%APP_NAME% のアカウントへのログインに復旧コードが使用されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% へのログインで、2 つ目の要素の代わりに復旧コードが使用されました。このコードはもう使用できません。',
        'お心当たりがない場合は、すぐに %APP_NAME% でパスワードを再設定し、新しい復旧コードを作成してください。',
      ],
      after: ['ご本人によるログインの場合は、残りがなくなる前に新しい復旧コードを作成してください。'],
    },
    passwordChanged: {
      subject: '%APP_NAME% のアカウントのパスワードが変更されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% のパスワードが変更されました。',
        'お心当たりがない場合は、すぐに %APP_NAME% でパスワードを再設定してください。',
      ],
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    phoneNumberChanged: {
      subject: '%APP_NAME% のアカウントの電話番号が変更されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% へのログインに使う電話番号が変更または追加されました。',
        'お心当たりがない場合は、すぐに %APP_NAME% でパスワードを再設定してください。',
      ],
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    passkeyAdded: {
      subject: '%APP_NAME% のアカウントにパスキーが追加されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% にパスキーが追加されました。パスワードなしでログインできます。',
        'お心当たりがない場合は、すぐに %APP_NAME% にログインし、パスキーを削除してパスワードを変更してください。',
      ],
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    passkeyRemoved: {
      subject: '%APP_NAME% のアカウントからパスキーが削除されました',
      before: [
        '%APP_NAME% のアカウント %EMAIL% からパスキーが削除されました。今後このパスキーではログインできません。',
        'お心当たりがない場合は、すぐに %APP_NAME% でパスワードを再設定してください。',
      ],
      after: ['ご本人による変更の場合は、何もする必要はありません。'],
    },
    emailInUse: {
      subject: '%APP_NAME% でお使いのメールアドレスが入力されました',
      before: [
        '別の %APP_NAME% アカウントに %EMAIL% を使おうとした人がいます。このアドレスはお客様のアカウントのもので、何も変更されていません。',
        'ご本人の場合は、すでにお持ちのアカウントでログインしてください。パスワードをお忘れの場合は、ログイン画面から再設定できます。',
      ],
      after: ['お心当たりがない場合は、このメールを無視してください。'],
    },
  },
};
