import { expect, test } from 'vitest';
import { type OwnerNotice, ownerNoticeText } from './owner-notices.ts';
import { renderNotice } from './render.ts';
import { LANGUAGES } from './templates/language.ts';

const NOTICES: readonly OwnerNotice[] = [
  { kind: 'smsServiceRejects', detail: 'credentials: <b>20003</b>' },
  { kind: 'smsBudgetNearlyUsed' },
  { kind: 'smsSpendingNearlyUsed' },
  { kind: 'smsCountryNearlyUsed', country: 'US' },
  { kind: 'smsCountryPaused', country: 'US' },
];

test.each(LANGUAGES)(
  '[I797] notices to owners in %s name the project and the country, escaped in HTML',
  (language) => {
    for (const notice of NOTICES) {
      const text = ownerNoticeText(notice, 'chess', language);
      const style = { appName: 'Chess', senderAddress: 'noreply@example.com', templates: {} };
      const mail = renderNotice({ project: 'chess', style, language, to: 'ann@example.com', ...text });
      expect(mail.subject).toContain('chess');
      expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toMatch(/%[A-Z]/);
      if ('country' in notice) expect(mail.text).toContain('US');
      if ('detail' in notice) expect(mail.html).toContain('credentials: &lt;b&gt;20003&lt;/b&gt;');
      expect(mail.html).toContain(`dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    }
    const subjects = NOTICES.map((notice) => ownerNoticeText(notice, 'chess', language).subject);
    expect(new Set(subjects).size).toBe(NOTICES.length);
  },
);
