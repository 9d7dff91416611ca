import { expect, test } from 'vitest';
import { changeTo, differences, editsSince, profileOf } from './profile-card.tsx';

const ADA = profileOf({ localId: 'a', createdAt: '1', email: 'ada@example.com', phoneNumber: '+15551234' });

test('[C194] only changed fields are sent', () => {
  const draft = { ...ADA, displayName: 'Ada' };
  const fields = differences(ADA, draft);
  expect(fields).toEqual(['displayName']);
  expect(changeTo(draft, fields)).toEqual({ displayName: 'Ada' });
});

test('[C194] an emptied email and phone number are deleted', () => {
  const draft = { ...ADA, email: '', phoneNumber: '', emailVerified: true };
  expect(changeTo(draft, differences(ADA, draft))).toEqual({
    deleteAttribute: ['EMAIL'],
    deleteProvider: ['phone'],
  });
});

test('[C430] text typed while saving stays unsaved', () => {
  const saved = { displayName: 'Ada', email: 'ada@example.org' };
  expect(editsSince(saved, saved)).toEqual({});
  expect(editsSince({ ...saved, displayName: '', phoneNumber: '+15551234' }, saved)).toEqual({
    displayName: '',
    phoneNumber: '+15551234',
  });
});
