import type { Language } from '../mail/templates/language.ts';

/** The default texts. `%CODE%` is the code and `%APP_NAME%` the name of the app. */
const TEXTS: Readonly<Record<Language, string>> = {
  en: '%CODE% is your verification code for %APP_NAME%.',
  es: '%CODE% es tu código de verificación para %APP_NAME%.',
  fr: '%CODE% est votre code de validation pour %APP_NAME%.',
  de: '%CODE% ist dein Bestätigungscode für %APP_NAME%.',
  pt: '%CODE% é o seu código de verificação para %APP_NAME%.',
  zh: '%CODE% 是您的 %APP_NAME% 验证码。',
  ja: '%CODE% は %APP_NAME% の確認コードです。',
  ar: '%CODE% هو رمز التحقق الخاص بك في %APP_NAME%.',
};

/** The text that the server sends to the previous number of an account when the number changes. */
const NUMBER_CHANGED: Readonly<Record<Language, string>> = {
  en: 'Your %APP_NAME% account has a new phone number. If this was not you, contact support.',
  es: 'Tu cuenta de %APP_NAME% tiene un nuevo número de teléfono. Si no fuiste tú, contacta con el servicio de asistencia.',
  fr: "Votre compte %APP_NAME% a un nouveau numéro de téléphone. Si ce n'était pas vous, contactez l'assistance.",
  de: 'Dein Konto bei %APP_NAME% hat eine neue Telefonnummer. Wenn du das nicht warst, wende dich an den Support.',
  pt: 'A sua conta %APP_NAME% tem um novo número de telefone. Se não foi você, entre em contato com o suporte.',
  zh: '您的 %APP_NAME% 账号已更换手机号码。如非您本人操作，请联系客服。',
  ja: '%APP_NAME% アカウントの電話番号が変更されました。お心当たりがない場合は、サポートにご連絡ください。',
  ar: 'تم تغيير رقم هاتف حسابك في %APP_NAME%. إذا لم تكن أنت من غيّره، فتواصل مع الدعم.',
};

/** Maximum number of characters of a project's own text. */
const MAX_SMS_TEXT_LENGTH = 300;
/** Maximum number of characters of the app's name in a text, so that the text stays short. */
const MAX_APP_NAME_LENGTH = 60;

/** A project's own texts by language. Languages without a text use the default text. */
export type SmsTemplates = Readonly<Partial<Record<Language, string>>>;

/** Returns the problems of a project's own text, one sentence each. */
export function checkSmsTemplate(text: unknown): readonly string[] {
  if (typeof text !== 'string' || text.length > MAX_SMS_TEXT_LENGTH)
    return [`Use a text of at most ${MAX_SMS_TEXT_LENGTH} characters.`];
  if (!text.includes('%CODE%')) return ['The text needs %CODE%.'];
  return /[\p{Cc}--\n]/v.test(text) ? ['The text must not contain control characters.'] : [];
}

export interface SmsContent {
  readonly code: string;
  readonly appName: string;
  readonly language: Language;
  readonly templates: SmsTemplates;
  /** The host of the page that asked for the code, so that its browser can fill in the code; `null` for none. */
  readonly webHost: string | null;
  /** The hash with which an Android app reads the message; `null` for none. */
  readonly appHash: string | null;
}

/**
 * Returns the text of a message. Its last line names the page or the Android app that may read the code from the
 * message.
 */
export function renderSms({ code, appName, language, templates, webHost, appHash }: SmsContent): string {
  const template = templates[language] ?? TEXTS[language];
  const name = appName.slice(0, MAX_APP_NAME_LENGTH).toWellFormed();
  const text = template.replaceAll('%CODE%', () => code).replaceAll('%APP_NAME%', () => name);
  if (appHash !== null) return `<#> ${text}\n${appHash}`;
  return webHost === null ? text : `${text}\n\n@${webHost} #${code}`;
}

/** Returns the text for the previous number of an account, after the number has changed. */
export function renderNumberChanged({ appName, language }: Pick<SmsContent, 'appName' | 'language'>): string {
  const name = appName.slice(0, MAX_APP_NAME_LENGTH).toWellFormed();
  return NUMBER_CHANGED[language].replaceAll('%APP_NAME%', () => name);
}

/** The characters of which a message can contain 160. A message with any other character can contain only 70. */
const GSM_7 =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/u;

/** The characters that count as two of the 160. */
const TWO_PLACES = /[\^{}\\[~\]|€]/g;

/** Returns the number of messages into which a text is divided. */
export function countSegments(text: string): number {
  const isUnicode = needsUnicode(text);
  const places = text.length + (isUnicode ? 0 : (text.match(TWO_PLACES)?.length ?? 0));
  const [alone, each] = isUnicode ? [70, 67] : [160, 153];
  return places <= alone ? 1 : Math.ceil(places / each);
}

/** Returns whether a text needs the encoding with fewer characters per message. */
export function needsUnicode(text: string): boolean {
  return !GSM_7.test(text);
}
