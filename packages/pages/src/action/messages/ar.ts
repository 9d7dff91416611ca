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
  checking: 'جارٍ التحقق من الرابط…',
  busy: 'لحظة من فضلك…',
  labels: {
    account: 'الحساب',
    currentEmail: 'البريد الإلكتروني الحالي',
    newEmail: 'البريد الإلكتروني الجديد',
    restoredEmail: 'البريد الإلكتروني المراد استعادته',
    factor: 'العامل الثاني المراد إزالته',
    authenticator: 'تطبيق المصادقة',
    phone: (number) => `الهاتف ${isolate(number)}`,
  },
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
  confirm: {
    verifyEmail: {
      heading: 'تأكيد بريدك الإلكتروني',
      text: 'أكّد أن هذا البريد الإلكتروني يخصّك.',
      button: 'تأكيد البريد الإلكتروني',
    },
    verifyAndChangeEmail: {
      heading: 'تغيير بريدك الإلكتروني',
      text: 'ستسجّل الدخول بالبريد الإلكتروني الجديد.',
      button: 'تغيير البريد الإلكتروني',
    },
    recoverEmail: {
      heading: 'استعادة بريدك الإلكتروني',
      text: 'تم تغيير البريد الإلكتروني لحسابك. إذا لم تُجرِ هذا التغيير بنفسك، فاستعد البريد السابق.',
      button: 'استعادة البريد الإلكتروني',
    },
    revertSecondFactorAddition: {
      heading: 'إزالة العامل الثاني',
      text: 'أُضيف عامل ثانٍ إلى حسابك. إذا لم تُضفه بنفسك، فأزِله.',
      button: 'إزالة العامل الثاني',
    },
  },
  done: {
    resetPassword: {
      heading: 'تم حفظ كلمة المرور',
      text: 'يمكنك الآن تسجيل الدخول بكلمة المرور الجديدة.',
    },
    verifyEmail: {
      heading: 'تم تأكيد البريد الإلكتروني',
      text: 'يمكنك الآن استخدام بريدك الإلكتروني المؤكَّد.',
    },
    verifyAndChangeEmail: {
      heading: 'تم تغيير البريد الإلكتروني',
      text: 'يمكنك الآن تسجيل الدخول ببريدك الإلكتروني الجديد.',
    },
    recoverEmail: {
      heading: 'تمت استعادة البريد الإلكتروني',
      text: 'يمكنك تسجيل الدخول مجددًا ببريدك الإلكتروني السابق.',
    },
    revertSecondFactorAddition: {
      heading: 'تمت إزالة العامل الثاني',
      text: 'لن يُطلب منك بعد الآن عند تسجيل الدخول.',
    },
  },
  close: 'يمكنك إغلاق هذه الصفحة.',
  continueTo: (host) => `المتابعة إلى ${isolate(host)}`,
  resetMail: {
    advice: 'إذا لم تُجرِ هذا التغيير بنفسك، فأعد تعيين كلمة مرورك أيضًا. قد يعرفها شخص آخر.',
    invitation: 'أدخل بريدك الإلكتروني للحصول على رابط جديد.',
    label: 'البريد الإلكتروني',
    invalid: `أدخل بريدًا إلكترونيًا صالحًا، مثل ${isolate('name@example.com')}.`,
    send: 'إرسال رسالة إعادة تعيين كلمة المرور',
    sent: 'إذا كان لهذا البريد الإلكتروني حساب، فقد أرسلنا إليه رابطًا. تحقّق من صندوق الوارد.',
  },
  refused: {
    incomplete: {
      heading: 'هذا الرابط غير مكتمل',
      text: 'افتح الرابط في الرسالة مجددًا، أو انسخ الرابط كاملًا إلى شريط العنوان.',
    },
    unknownMode: { heading: 'رابط غير صالح', text: 'افتح الرابط في الرسالة مجددًا.' },
    noContinueUrl: {
      heading: 'لا يمكن لهذا الرابط فتح التطبيق',
      text: 'عنوان URL للتطبيق مفقود أو غير مسموح به. اطلب رابط تسجيل دخول جديدًا في التطبيق.',
    },
    wrongProject: {
      heading: 'المشروع غير صحيح',
      text: 'هذا الرابط لمشروع آخر. افتح الرابط في الرسالة مجددًا.',
    },
    invalidCode: {
      heading: 'لم يعد هذا الرابط صالحًا',
      text: 'سبق استخدام هذا الرابط، أو حلّ محلّه رابط أحدث.',
    },
    expiredCode: {
      heading: 'انتهت صلاحية هذا الرابط',
      text: 'اطلب رابطًا جديدًا. كل رابط صالح لمدة محدودة.',
    },
    userDisabled: {
      heading: 'هذا الحساب معطَّل',
      text: 'إذا كنت تظن أن ذلك خطأ، فتواصل مع فريق دعم التطبيق.',
    },
    userNotFound: { heading: 'لم يتم العثور على الحساب', text: 'تم حذف حساب هذا الرابط.' },
    emailTaken: {
      heading: 'البريد الإلكتروني مستخدَم',
      text: 'يستخدم حساب آخر هذا البريد الإلكتروني. لم يتغيّر شيء.',
    },
    notAllowed: {
      heading: 'غير مسموح',
      text: 'لا يسمح التطبيق بهذا الإجراء حاليًا.',
    },
  },
  failed: 'حدث خطأ',
  retry: 'إعادة المحاولة',
  problems: {
    weakPassword: 'من السهل جدًا تخمين كلمة المرور هذه. اختر كلمة أخرى.',
    tooManyAttempts: 'محاولات كثيرة جدًا. انتظر بضع دقائق ثم حاول مجددًا.',
    unreachable: 'تعذّر الوصول إلى الخادم. تحقّق من اتصالك ثم حاول مجددًا.',
    unexpected: 'حدث خطأ غير متوقّع. حاول مجددًا لاحقًا.',
  },
};
