import type { Messages } from './messages.ts';

/** Text from left to right within a sentence from right to left, kept apart so that neither reorders the other. */
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

export const AR: Messages = {
  checking: 'جارٍ التحقق من الرابط…',
  busy: 'لحظة من فضلك…',
  labels: {
    account: 'الحساب',
    currentEmail: 'البريد الإلكتروني الحالي',
    newEmail: 'البريد الإلكتروني الجديد',
    restoredEmail: 'البريد الإلكتروني المراد استعادته',
    factor: 'الخطوة الثانية المراد إزالتها',
    authenticator: 'تطبيق المصادقة',
    phone: (number) => `الهاتف ${isolate(number)}`,
  },
  newPassword: {
    heading: 'اختر كلمة مرور جديدة',
    text: 'سيتم تسجيل خروجك من جميع أجهزتك.',
    label: 'كلمة المرور الجديدة',
    show: 'إظهار كلمة المرور',
    save: 'حفظ كلمة المرور',
    requirements: 'تحتاج كلمة المرور إلى:',
    met: 'متوفر',
    unmet: 'غير متوفر بعد',
    allMet: 'كلمة المرور مستوفية لجميع المتطلبات.',
    missing: 'ما زال ينقص كلمة المرور شيء.',
    minLength: (count) => `${countCharacters(count)} على الأقل`,
    maxLength: (count) => `${countCharacters(count)} على الأكثر`,
    lowercase: `حرف لاتيني صغير (${isolate('a–z')})`,
    uppercase: `حرف لاتيني كبير (${isolate('A–Z')})`,
    digit: `رقم (${isolate('0–9')})`,
    symbol: `رمز خاص، مثل ${isolate('!')} أو ${isolate('?')}`,
  },
  confirm: {
    verifyEmail: {
      heading: 'أكّد بريدك الإلكتروني',
      text: 'اضغط على الزر لتأكيد أن هذا العنوان لك.',
      button: 'تأكيد العنوان',
    },
    verifyAndChangeEmail: {
      heading: 'غيّر بريدك الإلكتروني',
      text: 'من الآن فصاعدًا ستسجّل الدخول بالعنوان الجديد.',
      button: 'تغيير العنوان',
    },
    recoverEmail: {
      heading: 'استعد بريدك الإلكتروني',
      text: 'تم تغيير عنوان حسابك. إذا لم تفعل ذلك بنفسك، فاستعد العنوان السابق.',
      button: 'استعادة العنوان',
    },
    revertSecondFactorAddition: {
      heading: 'أزل الخطوة الثانية',
      text: 'أُضيفت إلى حسابك خطوة ثانية لتسجيل الدخول. إذا لم تفعل ذلك بنفسك، فأزلها.',
      button: 'إزالة الخطوة الثانية',
    },
  },
  done: {
    resetPassword: {
      heading: 'تم حفظ كلمة المرور',
      text: 'يمكنك الآن تسجيل الدخول بكلمة المرور الجديدة.',
    },
    verifyEmail: { heading: 'تم تأكيد العنوان', text: 'شكرًا لك. تم تأكيد بريدك الإلكتروني.' },
    verifyAndChangeEmail: {
      heading: 'تم تغيير العنوان',
      text: 'سجّل الدخول من الآن فصاعدًا ببريدك الإلكتروني الجديد.',
    },
    recoverEmail: {
      heading: 'تمت استعادة العنوان',
      text: 'يمكنك تسجيل الدخول مجددًا ببريدك الإلكتروني السابق.',
    },
    revertSecondFactorAddition: {
      heading: 'تمت إزالة الخطوة الثانية',
      text: 'لن تُطلب منك بعد الآن عند تسجيل الدخول.',
    },
  },
  close: 'يمكنك إغلاق هذه الصفحة.',
  continueTo: (host) => `المتابعة إلى ${isolate(host)}`,
  resetMail: {
    advice: 'إذا أجرى شخص آخر هذا التغيير، فقد يكون على علم بكلمة مرورك. اختر كلمة مرور جديدة أيضًا.',
    invitation: 'أدخل بريدك الإلكتروني للحصول على رابط جديد.',
    label: 'البريد الإلكتروني',
    invalid: `أدخل بريدًا إلكترونيًا، مثل ${isolate('name@example.com')}.`,
    send: 'أرسل لي رابطًا لكلمة مرور جديدة',
    sent: 'إذا كان هناك حساب بهذا العنوان، فستصلك رسالة تتضمن رابطًا. راجع صندوق الوارد.',
  },
  refused: {
    incomplete: {
      heading: 'هذا الرابط غير مكتمل',
      text: 'افتح الرابط من الرسالة مرة أخرى، أو انسخه كاملًا إلى شريط العنوان.',
    },
    unknownMode: { heading: 'هذا الرابط غير معروف', text: 'افتح الرابط من الرسالة مرة أخرى.' },
    noContinueUrl: {
      heading: 'هذا الرابط لا يؤدي إلى أي مكان',
      text: 'عنوان التطبيق مفقود أو غير مسموح به. اطلب من التطبيق رابط تسجيل دخول جديدًا.',
    },
    wrongProject: {
      heading: 'هذا الرابط يخص مكانًا آخر',
      text: 'أُنشئ لعنوان آخر. افتح الرابط من الرسالة مرة أخرى.',
    },
    invalidCode: {
      heading: 'لم يعد هذا الرابط صالحًا',
      text: 'سبق استخدامه، أو حلّ محله رابط أحدث.',
    },
    expiredCode: {
      heading: 'انتهت صلاحية هذا الرابط',
      text: 'اطلب رابطًا جديدًا؛ فهو صالح لمدة قصيرة فقط.',
    },
    userDisabled: {
      heading: 'هذا الحساب معطّل',
      text: 'تواصل مع القائمين على التطبيق إذا كنت تظن أن ذلك خطأ.',
    },
    userNotFound: { heading: 'هذا الحساب غير موجود', text: 'تم حذف حساب هذا الرابط.' },
    emailTaken: {
      heading: 'هذا العنوان مستخدم',
      text: 'يستخدم حساب آخر هذا البريد الإلكتروني الآن، لذلك لم يتغير شيء.',
    },
    notAllowed: {
      heading: 'هذا غير ممكن هنا',
      text: 'لا يسمح القائمون على التطبيق بهذه الخطوة حاليًا.',
    },
  },
  failed: 'لم ينجح ذلك',
  retry: 'حاول مرة أخرى',
  problems: {
    weakPassword: 'من السهل جدًا تخمين كلمة المرور هذه. اختر كلمة أخرى.',
    tooManyAttempts: 'كانت هناك محاولات كثيرة جدًا. انتظر قليلًا ثم حاول مرة أخرى.',
    unreachable: 'تعذّر الوصول إلى الخادم. تحقق من اتصالك وحاول مرة أخرى.',
    unexpected: 'حدث خطأ ما. حاول مرة أخرى لاحقًا.',
  },
};
