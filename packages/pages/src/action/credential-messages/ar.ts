import type { Messages } from './messages.ts';

/** Isolates left-to-right text within a right-to-left sentence, so that neither changes the order of the other. */
function isolate(text: string): string {
  return `\u2068${text}\u2069`;
}

const PLURAL = new Intl.PluralRules('ar');

function countCharacters(count: number): string {
  switch (PLURAL.select(count)) {
    case 'one':
      return 'حرف واحد';
    case 'two':
      return 'حرفين';
    case 'few':
      return `${count} أحرف`;
    case 'many':
      return `${count} حرفًا`;
    default:
      return `${count} حرف`;
  }
}

export const MESSAGES: Messages = {
  currentEmail: 'البريد الإلكتروني الحالي',
  newEmail: 'البريد الإلكتروني الجديد',
  removedFactor: 'العامل الثاني المراد إزالته',
  newPassword: {
    heading: 'اختر كلمة مرور جديدة',
    text: 'سيتم تسجيل خروجك من جميع أجهزتك.',
    label: 'كلمة المرور الجديدة',
    show: 'إظهار كلمة المرور',
    save: 'حفظ كلمة المرور',
    requirements: 'متطلبات كلمة المرور:',
    met: 'مستوفى',
    unmet: 'غير مستوفى',
    allMet: 'تستوفي كلمة المرور جميع المتطلبات.',
    missing: 'لا تستوفي كلمة المرور جميع المتطلبات.',
    minLength: (count) => `${countCharacters(count)} على الأقل`,
    maxLength: (count) => `${countCharacters(count)} على الأكثر`,
    lowercase: `حرف لاتيني صغير (${isolate('a–z')})`,
    uppercase: `حرف لاتيني كبير (${isolate('A–Z')})`,
    digit: `رقم (${isolate('0–9')})`,
    symbol: `رمز خاص، مثل ${isolate('!')} أو ${isolate('?')}`,
  },
};
