import { useEffect, useState } from 'react';
import { NumberForm, PhoneCodeForm } from '../phone-form.tsx';
import { finishPhone, type SentCode, startPhone } from './calls.ts';
import { type AccountViewProps, Submit } from './views.tsx';

/**
 * Adds a phone as a second factor: first its number, and then the code that was sent to it. After a code has expired, asks for
 * the number again.
 */
export function PhoneView({ server, state, texts }: AccountViewProps) {
  const [sent, setSent] = useState<SentCode | undefined>(undefined);
  const { own, page } = texts;
  const { progress } = state;
  const isExpired = progress.kind === 'failed' && progress.problem === 'expired';
  useEffect(() => {
    if (isExpired) setSent(undefined);
  }, [isExpired]);
  if (sent === undefined)
    return (
      <NumberForm
        texts={page}
        send={(number) => void state.ask((user) => startPhone(server, user, number)).then(setSent)}
      >
        <Submit state={state} texts={texts} label={page.phone.send} />
      </NumberForm>
    );
  return (
    <PhoneCodeForm
      texts={page}
      phoneNumber={sent.phoneNumber}
      finish={(code) => void state.change('added', (user) => finishPhone(server, user, sent, code))}
    >
      <Submit state={state} texts={texts} label={own.addPhone} />
    </PhoneCodeForm>
  );
}
