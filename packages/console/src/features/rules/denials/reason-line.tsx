import Typography from '@mui/material/Typography';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DenialReason, ListedDenial } from '../../../api/denials.ts';
import { CodeText, PART, showControls, TextWithPart } from '../../../ui/text.tsx';
import { usePrintValue } from '../trace/print-value.ts';

interface ReasonLineProps {
  readonly denial: Pick<ListedDenial, 'rule' | 'reason'>;
}

/**
 * Says why an operation was denied, such as `auth.uid == $id is false (auth.uid = "u1", $id = "r1")`. Shows nothing if the
 * reason was not recorded.
 */
export function ReasonLine({ denial: { rule, reason } }: ReasonLineProps) {
  const { t } = useTranslation('rules');
  if (rule === null) return <Line>{t('denials.noRuleAllows')}</Line>;
  return reason === null ? null : <Reason reason={reason} />;
}

function Reason({ reason: { condition, outcome, error, values } }: { readonly reason: DenialReason }) {
  const { t } = useTranslation('rules');
  const print = usePrintValue();
  const sentence =
    outcome === 'false'
      ? t('denials.isFalse', { condition: PART })
      : t('denials.hasError', { condition: PART, error: showControls(error ?? '') });
  return (
    <Line>
      <TextWithPart text={sentence}>
        <CodeText>{inOneLine(condition)}</CodeText>
      </TextWithPart>
      {values.length > 0 && (
        <>
          {' '}
          <bdi dir="ltr">
            {'('}
            {values.map(({ text, value }, index) => (
              <Fragment key={text}>
                {index > 0 && ', '}
                <CodeText>{inOneLine(text)}</CodeText>
                {' = '}
                <CodeText>{print(value, 'short')}</CodeText>
              </Fragment>
            ))}
            {')'}
          </bdi>
        </>
      )}
    </Line>
  );
}

/** Replaces line breaks by spaces, because rules may span several lines. */
function inOneLine(text: string): string {
  return showControls(text.replace(/\s+/g, ' '));
}

function Line({ children }: { readonly children: ReactNode }) {
  return (
    <Typography component="span" variant="body2" sx={{ overflowWrap: 'anywhere' }}>
      {children}
    </Typography>
  );
}
