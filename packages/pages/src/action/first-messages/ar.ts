import type { Messages } from './messages.ts';

export const MESSAGES: Messages = {
  busy: 'لحظة من فضلك…',
  labels: {
    account: 'الحساب',
    authenticator: 'تطبيق المصادقة',
  },
  resetMail: {
    invitation: 'أدخل بريدك الإلكتروني للحصول على رابط جديد.',
    label: 'البريد الإلكتروني',
    invalid: 'أدخل بريدًا إلكترونيًا صالحًا، مثل \u2068name@example.com\u2069.',
    send: 'إرسال رسالة إعادة تعيين كلمة المرور',
    sent: 'إذا كان لهذا البريد الإلكتروني حساب، فقد أرسلنا إليه رابطًا. تحقّق من صندوق الوارد.',
  },
  problems: {
    weakPassword: 'من السهل جدًا تخمين كلمة المرور هذه. اختر كلمة أخرى.',
    tooManyAttempts: 'محاولات كثيرة جدًا. انتظر بضع دقائق ثم حاول مجددًا.',
    unreachable: 'تعذّر الوصول إلى الخادم. تحقّق من اتصالك ثم حاول مجددًا.',
    unexpected: 'حدث خطأ غير متوقّع. حاول مجددًا لاحقًا.',
  },
};
