import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PendingText } from './builder-state.ts';

type Step =
  | { readonly kind: 'range'; readonly start: number; readonly length: number }
  /** The range that follows in the source, like most of a text. */
  | { readonly kind: 'next'; readonly length: number }
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'truncate' | 'dropFront'; readonly share: number }
  | { readonly kind: 'settle' | 'view' };

const SOURCE = 'abcabcabdabcabcäbc'.repeat(12);

const lengths = fc.nat({ max: 90 });
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: lengths.map((length): Step => ({ kind: 'next', length })) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...'abcd').map((text): Step => ({ kind: 'byte', byte: text.charCodeAt(0) })),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(lengths, lengths).map(([start, length]): Step => ({ kind: 'range', start, length })),
  },
  fc.constantFrom('', 'a', 'ü', 'word').map((text): Step => ({ kind: 'text', text })),
  fc.double({ min: 0, max: 1, noNaN: true }).map((share): Step => ({ kind: 'truncate', share })),
  fc.double({ min: 0, max: 1, noNaN: true }).map((share): Step => ({ kind: 'dropFront', share })),
  fc.constantFrom<Step>({ kind: 'settle' }, { kind: 'view' }),
);

test('[K122] pending text is the appended text without the cut parts, even after its sources are overwritten', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 60 }), (history) => {
      const text = new PendingText();
      let model = Buffer.alloc(0);
      let source = Buffer.from(SOURCE);
      let next = 0;
      const append = (bytes: Buffer): void => {
        model = Buffer.concat([model, bytes]);
      };
      const appendRange = (start: number, end: number): void => {
        append(source.subarray(start, end));
        text.append(source, start, end);
        next = end;
      };
      for (const step of history) {
        switch (step.kind) {
          case 'next':
            appendRange(next, Math.min(next + step.length, source.length));
            break;
          case 'range':
            appendRange(step.start, Math.min(step.start + step.length, source.length));
            break;
          case 'byte':
            append(Buffer.from([step.byte]));
            text.appendByte(step.byte);
            if (source[next] === step.byte) next += 1;
            break;
          case 'text':
            append(Buffer.from(step.text));
            text.appendText(step.text);
            break;
          case 'truncate':
            model = model.subarray(0, Math.floor(model.length * step.share));
            text.truncate(model.length);
            break;
          case 'dropFront': {
            const dropped = Math.floor(model.length * step.share);
            model = model.subarray(dropped);
            text.dropFront(dropped);
            break;
          }
          case 'settle':
            text.settle();
            source.fill('?');
            source = Buffer.from(SOURCE);
            next = 0;
            break;
          case 'view':
            expect(text.view(0, text.length).equals(model)).toBe(true);
            break;
          default:
            step satisfies never;
        }
        expect(text.length).toBe(model.length);
      }
      expect(text.view(0, text.length).equals(model)).toBe(true);
      expect(text.text()).toBe(model.toString());
    }),
    { numRuns: 1_000 },
  );
});
