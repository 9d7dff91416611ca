import type { AlertKind } from '@hearth/core/api/alerts.ts';
import { ALERT_NAMES, ALERT_TEXTS, type AlertNoticeKind, type NoticeText } from './alert-texts.ts';
import type { Language } from './templates/language.ts';

/** An event of which the server notifies the owners of a project. */
export type OwnerNotice =
  /** The SMS service rejects the credentials or the account. `detail` is the response of the service. */
  | { readonly kind: 'smsServiceRejects'; readonly detail: string }
  | { readonly kind: 'smsBudgetNearlyUsed' }
  | { readonly kind: 'smsSpendingNearlyUsed' }
  | { readonly kind: 'smsCountryNearlyUsed'; readonly country: string }
  | { readonly kind: 'smsCountryPaused'; readonly country: string }
  /** A figure exceeds the threshold of an alert, or no longer does. `detail` has the figure and the threshold. */
  | { readonly kind: AlertNoticeKind; readonly alert: AlertKind; readonly detail: string };

export type OwnerNoticeKind = OwnerNotice['kind'];

/**
 * `%PROJECT%` is the ID of the project, `%DETAIL%` the response of a service in English, `%COUNTRY%` a country in two
 * letters.
 */
const TEXTS: Readonly<
  Record<Language, Readonly<Record<Exclude<OwnerNoticeKind, AlertNoticeKind>, NoticeText>>>
> = {
  en: {
    smsServiceRejects: {
      subject: 'Text messages of %PROJECT% are not sent',
      paragraphs: [
        'The SMS service rejects the text messages of the project %PROJECT%: %DETAIL%',
        'Check the credentials and the account of the service.',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% has used 80 % of its text messages for today',
      paragraphs: [
        'The project %PROJECT% has used 80 % of its text messages for today. When all are used, the server sends no more until tomorrow.',
      ],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% has spent 80 % of its budget for text messages today',
      paragraphs: [
        'The project %PROJECT% has spent 80 % of its budget for text messages today. When the budget is used up, the server sends no more until tomorrow.',
      ],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% has used 80 % of its text messages to %COUNTRY%',
      paragraphs: [
        'The project %PROJECT% has used 80 % of its text messages to %COUNTRY% for this hour. When all are used, the server sends no more to this country until the next hour.',
      ],
    },
    smsCountryPaused: {
      subject: 'Text messages of %PROJECT% to %COUNTRY% are paused',
      paragraphs: [
        'Users entered fewer than 20 % of the latest codes that the project %PROJECT% sent to %COUNTRY%. Requests that only cause costs look like this.',
        'The server sends no text messages to this country until an owner allows it again.',
      ],
    },
  },
  es: {
    smsServiceRejects: {
      subject: 'Los mensajes de texto de %PROJECT% no se envían',
      paragraphs: [
        'El servicio de SMS rechaza los mensajes de texto del proyecto %PROJECT%: %DETAIL%',
        'Comprueba las credenciales y la cuenta del servicio.',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% ha usado el 80 % de sus mensajes de texto de hoy',
      paragraphs: [
        'El proyecto %PROJECT% ha usado el 80 % de sus mensajes de texto de hoy. Cuando se agoten, el servidor no enviará más hasta mañana.',
      ],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% ha gastado el 80 % de su importe de hoy para mensajes de texto',
      paragraphs: [
        'El proyecto %PROJECT% ha gastado el 80 % del importe de hoy para mensajes de texto. Cuando se agote, el servidor no enviará más hasta mañana.',
      ],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% ha usado el 80 % de sus mensajes de texto a %COUNTRY%',
      paragraphs: [
        'El proyecto %PROJECT% ha usado el 80 % de sus mensajes de texto a %COUNTRY% de esta hora. Cuando se agoten, el servidor no enviará más a este país hasta la próxima hora.',
      ],
    },
    smsCountryPaused: {
      subject: 'Los mensajes de texto de %PROJECT% a %COUNTRY% están en pausa',
      paragraphs: [
        'Los usuarios introdujeron menos del 20 % de los últimos códigos que el proyecto %PROJECT% envió a %COUNTRY%. Así se ven las solicitudes que solo causan gastos.',
        'El servidor no enviará mensajes de texto a este país hasta que un propietario vuelva a permitirlo.',
      ],
    },
  },
  fr: {
    smsServiceRejects: {
      subject: 'Les SMS de %PROJECT% ne sont pas envoyés',
      paragraphs: [
        'Le service de SMS refuse les messages du projet %PROJECT% : %DETAIL%',
        'Vérifiez les identifiants et le compte du service.',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% a utilisé 80 % de ses SMS du jour',
      paragraphs: [
        "Le projet %PROJECT% a utilisé 80 % de ses SMS du jour. Une fois tous utilisés, le serveur n'en enverra plus avant demain.",
      ],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% a dépensé 80 % de son montant du jour pour les SMS',
      paragraphs: [
        'Le projet %PROJECT% a dépensé 80 % du montant du jour pour les SMS. Une fois ce montant épuisé, le serveur n’en enverra plus avant demain.',
      ],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% a utilisé 80 % de ses SMS vers %COUNTRY%',
      paragraphs: [
        "Le projet %PROJECT% a utilisé 80 % de ses SMS vers %COUNTRY% pour cette heure. Une fois tous utilisés, le serveur n'en enverra plus vers ce pays avant l'heure suivante.",
      ],
    },
    smsCountryPaused: {
      subject: 'Les SMS de %PROJECT% vers %COUNTRY% sont suspendus',
      paragraphs: [
        'Les utilisateurs ont saisi moins de 20 % des derniers codes que le projet %PROJECT% a envoyés vers %COUNTRY%. Les demandes qui ne font que causer des frais se présentent ainsi.',
        "Le serveur n'enverra pas de SMS vers ce pays tant qu'un propriétaire ne l'autorise pas de nouveau.",
      ],
    },
  },
  de: {
    smsServiceRejects: {
      subject: 'SMS von %PROJECT% werden nicht gesendet',
      paragraphs: [
        'Der SMS-Dienst lehnt die Nachrichten des Projekts %PROJECT% ab: %DETAIL%',
        'Prüfe die Zugangsdaten und das Konto des Dienstes.',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% hat 80 % seiner SMS für heute verbraucht',
      paragraphs: [
        'Das Projekt %PROJECT% hat 80 % seiner SMS für heute verbraucht. Sind alle verbraucht, sendet der Server bis morgen keine weiteren.',
      ],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% hat 80 % seines Tagesbetrags für SMS ausgegeben',
      paragraphs: [
        'Das Projekt %PROJECT% hat 80 % des Betrags für SMS von heute ausgegeben. Ist der Betrag verbraucht, sendet der Server bis morgen keine weiteren.',
      ],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% hat 80 % seiner SMS nach %COUNTRY% verbraucht',
      paragraphs: [
        'Das Projekt %PROJECT% hat 80 % seiner SMS nach %COUNTRY% für diese Stunde verbraucht. Sind alle verbraucht, sendet der Server bis zur nächsten Stunde keine weiteren in dieses Land.',
      ],
    },
    smsCountryPaused: {
      subject: 'SMS von %PROJECT% nach %COUNTRY% sind angehalten',
      paragraphs: [
        'Nutzer haben weniger als 20 % der letzten Codes eingegeben, die das Projekt %PROJECT% nach %COUNTRY% gesendet hat. So sehen Anfragen aus, die nur Kosten verursachen.',
        'Der Server sendet keine SMS in dieses Land, bis ein Eigentümer es wieder erlaubt.',
      ],
    },
  },
  pt: {
    smsServiceRejects: {
      subject: 'As mensagens de texto de %PROJECT% não são enviadas',
      paragraphs: [
        'O serviço de SMS rejeita as mensagens de texto do projeto %PROJECT%: %DETAIL%',
        'Verifique as credenciais e a conta do serviço.',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% usou 80 % das suas mensagens de texto de hoje',
      paragraphs: [
        'O projeto %PROJECT% usou 80 % das suas mensagens de texto de hoje. Quando acabarem, o servidor não enviará mais até amanhã.',
      ],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% gastou 80 % do valor de hoje para mensagens de texto',
      paragraphs: [
        'O projeto %PROJECT% gastou 80 % do valor de hoje para mensagens de texto. Quando o valor acabar, o servidor não enviará mais até amanhã.',
      ],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% usou 80 % das suas mensagens de texto para %COUNTRY%',
      paragraphs: [
        'O projeto %PROJECT% usou 80 % das suas mensagens de texto para %COUNTRY% desta hora. Quando acabarem, o servidor não enviará mais para este país até a próxima hora.',
      ],
    },
    smsCountryPaused: {
      subject: 'As mensagens de texto de %PROJECT% para %COUNTRY% estão em pausa',
      paragraphs: [
        'Os usuários digitaram menos de 20 % dos últimos códigos que o projeto %PROJECT% enviou para %COUNTRY%. Pedidos que só causam custos têm esta aparência.',
        'O servidor não enviará mensagens de texto para este país até que um proprietário permita de novo.',
      ],
    },
  },
  zh: {
    smsServiceRejects: {
      subject: '%PROJECT% 的短信无法发送',
      paragraphs: ['短信服务拒绝了项目 %PROJECT% 的短信：%DETAIL%', '请检查该服务的凭据和账号。'],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% 已使用今日短信的 80%',
      paragraphs: ['项目 %PROJECT% 已使用今日短信的 80%。用完后，服务器在明天之前不再发送短信。'],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% 已花费今日短信金额的 80%',
      paragraphs: ['项目 %PROJECT% 已花费今日短信金额的 80%。用完后，服务器在明天之前不再发送短信。'],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% 已使用发往 %COUNTRY% 的短信的 80%',
      paragraphs: [
        '项目 %PROJECT% 已使用本小时发往 %COUNTRY% 的短信的 80%。用完后，服务器在下一小时之前不再向该国家发送短信。',
      ],
    },
    smsCountryPaused: {
      subject: '%PROJECT% 发往 %COUNTRY% 的短信已暂停',
      paragraphs: [
        '项目 %PROJECT% 最近发往 %COUNTRY% 的验证码中，用户输入的不到 20%。只为制造费用的请求就是这样。',
        '在所有者重新允许之前，服务器不会向该国家发送短信。',
      ],
    },
  },
  ja: {
    smsServiceRejects: {
      subject: '%PROJECT% の SMS が送信されていません',
      paragraphs: [
        'SMS サービスがプロジェクト %PROJECT% のメッセージを拒否しています: %DETAIL%',
        'サービスの認証情報とアカウントを確認してください。',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: '%PROJECT% は本日の SMS の 80% を使用しました',
      paragraphs: [
        'プロジェクト %PROJECT% は本日の SMS の 80% を使用しました。すべて使用すると、サーバーは明日まで送信しません。',
      ],
    },
    smsSpendingNearlyUsed: {
      subject: '%PROJECT% は本日の SMS の上限額の 80% を使用しました',
      paragraphs: [
        'プロジェクト %PROJECT% は本日の SMS の上限額の 80% を使用しました。上限額に達すると、サーバーは明日まで送信しません。',
      ],
    },
    smsCountryNearlyUsed: {
      subject: '%PROJECT% は %COUNTRY% への SMS の 80% を使用しました',
      paragraphs: [
        'プロジェクト %PROJECT% は、この 1 時間の %COUNTRY% への SMS の 80% を使用しました。すべて使用すると、サーバーは次の 1 時間までこの国に送信しません。',
      ],
    },
    smsCountryPaused: {
      subject: '%PROJECT% の %COUNTRY% への SMS を停止しました',
      paragraphs: [
        'プロジェクト %PROJECT% が %COUNTRY% に送信した最近のコードのうち、ユーザーが入力したものは 20% 未満です。費用だけを発生させるリクエストはこのように見えます。',
        'オーナーが再び許可するまで、サーバーはこの国に SMS を送信しません。',
      ],
    },
  },
  ar: {
    smsServiceRejects: {
      subject: 'لا تُرسَل الرسائل النصية للمشروع %PROJECT%',
      paragraphs: [
        'ترفض خدمة الرسائل النصية رسائل المشروع %PROJECT%: %DETAIL%',
        'تحقّق من بيانات الاعتماد وحساب الخدمة.',
      ],
    },
    smsBudgetNearlyUsed: {
      subject: 'استخدم المشروع %PROJECT% نسبة 80% من رسائله النصية لهذا اليوم',
      paragraphs: [
        'استخدم المشروع %PROJECT% نسبة 80% من رسائله النصية لهذا اليوم. عند استخدامها كلها لا يرسل الخادم المزيد حتى الغد.',
      ],
    },
    smsSpendingNearlyUsed: {
      subject: 'أنفق المشروع %PROJECT% نسبة 80% من مبلغ رسائله النصية لهذا اليوم',
      paragraphs: [
        'أنفق المشروع %PROJECT% نسبة 80% من مبلغ الرسائل النصية لهذا اليوم. عند إنفاق المبلغ كله لا يرسل الخادم المزيد حتى الغد.',
      ],
    },
    smsCountryNearlyUsed: {
      subject: 'استخدم المشروع %PROJECT% نسبة 80% من رسائله النصية إلى %COUNTRY%',
      paragraphs: [
        'استخدم المشروع %PROJECT% نسبة 80% من رسائله النصية إلى %COUNTRY% لهذه الساعة. عند استخدامها كلها لا يرسل الخادم المزيد إلى هذا البلد حتى الساعة التالية.',
      ],
    },
    smsCountryPaused: {
      subject: 'أُوقفت الرسائل النصية للمشروع %PROJECT% إلى %COUNTRY% مؤقتًا',
      paragraphs: [
        'أدخل المستخدمون أقل من 20% من أحدث الرموز التي أرسلها المشروع %PROJECT% إلى %COUNTRY%. هكذا تبدو الطلبات التي لا تسبب إلا التكاليف.',
        'لا يرسل الخادم رسائل نصية إلى هذا البلد حتى يسمح بذلك أحد المالكين من جديد.',
      ],
    },
  },
};

/** Returns the text of a notice about a project. */
export function ownerNoticeText(notice: OwnerNotice, projectId: string, language: Language): NoticeText {
  const { subject, paragraphs } =
    'alert' in notice ? ALERT_TEXTS[language][notice.kind] : TEXTS[language][notice.kind];
  const fill = (text: string): string =>
    text
      .replaceAll('%PROJECT%', () => projectId)
      .replaceAll('%COUNTRY%', () => ('country' in notice ? notice.country : ''))
      .replaceAll('%ALERT%', () => ('alert' in notice ? ALERT_NAMES[language][notice.alert] : ''))
      .replaceAll('%DETAIL%', () => ('detail' in notice ? notice.detail : ''));
  return { subject: fill(subject), paragraphs: paragraphs.map(fill) };
}
