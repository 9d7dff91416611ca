/** The texts of the box of a visible verifier. */
export interface BoxTexts {
  /** The name of the box. */
  readonly name: string;
  readonly checking: string;
  readonly checked: string;
  readonly failed: string;
  readonly expired: string;
}

const TEXTS: Readonly<Record<string, BoxTexts>> = {
  en: {
    name: 'Protection against automated requests',
    checking: 'Checking…',
    checked: 'Checked',
    failed: 'The check failed. Select to try again.',
    expired: 'The check has expired. Select to repeat it.',
  },
  es: {
    name: 'Protección contra solicitudes automáticas',
    checking: 'Comprobando…',
    checked: 'Comprobado',
    failed: 'La comprobación ha fallado. Selecciona para repetirla.',
    expired: 'La comprobación ha caducado. Selecciona para repetirla.',
  },
  fr: {
    name: 'Protection contre les requêtes automatiques',
    checking: 'Vérification…',
    checked: 'Vérifié',
    failed: 'La vérification a échoué. Sélectionnez pour réessayer.',
    expired: 'La vérification a expiré. Sélectionnez pour la refaire.',
  },
  de: {
    name: 'Schutz vor automatischen Anfragen',
    checking: 'Wird geprüft …',
    checked: 'Geprüft',
    failed: 'Die Prüfung ist fehlgeschlagen. Zum Wiederholen auswählen.',
    expired: 'Die Prüfung ist abgelaufen. Zum Wiederholen auswählen.',
  },
  pt: {
    name: 'Proteção contra solicitações automáticas',
    checking: 'Verificando…',
    checked: 'Verificado',
    failed: 'A verificação falhou. Selecione para tentar de novo.',
    expired: 'A verificação expirou. Selecione para repetir.',
  },
  zh: {
    name: '防止自动请求',
    checking: '正在检查…',
    checked: '检查完成',
    failed: '检查失败。选择此处重试。',
    expired: '检查已过期。选择此处重新检查。',
  },
  ja: {
    name: '自動リクエストからの保護',
    checking: '確認しています…',
    checked: '確認しました',
    failed: '確認できませんでした。選択してもう一度お試しください。',
    expired: '確認の有効期限が切れました。選択してもう一度確認してください。',
  },
  ar: {
    name: 'الحماية من الطلبات الآلية',
    checking: 'جارٍ التحقق…',
    checked: 'تم التحقق',
    failed: 'فشل التحقق. حدِّد للمحاولة مرة أخرى.',
    expired: 'انتهت صلاحية التحقق. حدِّد لإعادته.',
  },
};

const ENGLISH = 'en';

/** Returns the language of the box and its texts. `wanted` are language tags, best first. */
export function boxTextsFor(wanted: readonly string[]): {
  readonly language: string;
  readonly texts: BoxTexts;
} {
  const primary = wanted.map((tag) => tag.toLowerCase().split(/[-_]/, 1).join(''));
  const language = primary.find((tag) => Object.hasOwn(TEXTS, tag)) ?? ENGLISH;
  return { language, texts: TEXTS[language] as BoxTexts };
}
