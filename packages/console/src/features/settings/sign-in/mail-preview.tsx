import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type MailSample, previewMail } from '../../../api/settings.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { usePreview } from './use-queue.ts';

/**
 * Allowed elements, which have no effect other than layout. Of an element that is neither allowed nor removed, only the
 * content is rendered. An image is replaced by its alternative text.
 */
const ELEMENTS = new Set(
  'a,abbr,b,bdi,bdo,blockquote,br,center,code,dd,div,dl,dt,em,font,h1,h2,h3,h4,h5,h6,hr,i,li,ol,p,pre,s,small,span,strong,sub,sup,table,tbody,td,tfoot,th,thead,tr,u,ul'.split(
    ',',
  ),
);
/** Elements that are removed with their content. */
const REMOVED_ELEMENTS = new Set(
  'script,style,title,template,noscript,iframe,object,embed,form,head,meta,link,svg,math'.split(','),
);
const ATTRIBUTES = [
  'dir',
  'lang',
  'align',
  'valign',
  'width',
  'height',
  'colspan',
  'rowspan',
  'cellpadding',
  'cellspacing',
  'border',
  'bgcolor',
  'color',
];

/**
 * Renders an email into a shadow root, so that nothing in the email can run, link anywhere or load anything. Only allowed
 * elements and attributes are copied. Styles are set by script, which the content security policy of the page allows.
 */
export function drawMail(root: ShadowRoot, html: string): void {
  // The parser would block inline styles, and report them as violations of the content security policy.
  const text = html.replace(/\sstyle(\s*=)/gi, ' data-style$1');
  const { body, documentElement } = new DOMParser().parseFromString(text, 'text/html');
  const page = document.createElement('div');
  page.dir = documentElement.dir === 'rtl' ? 'rtl' : 'ltr';
  page.lang = documentElement.lang;
  applyStyle(page, body);
  drawChildren(body, page);
  root.replaceChildren(page);
}

function drawChildren(from: Element, to: Element): void {
  for (const child of from.childNodes)
    if (child.nodeType === Node.TEXT_NODE) to.append(child.textContent ?? '');
    else if (child instanceof Element) drawElement(child, to);
}

function drawElement(from: Element, to: Element): void {
  const name = from.tagName.toLowerCase();
  if (REMOVED_ELEMENTS.has(name)) return;
  if (name === 'img') {
    to.append(from.getAttribute('alt') ?? '');
    return;
  }
  if (!ELEMENTS.has(name)) {
    drawChildren(from, to);
    return;
  }
  const element = document.createElement(name);
  for (const attribute of ATTRIBUTES) {
    const value = from.getAttribute(attribute);
    if (value !== null) element.setAttribute(attribute, value);
  }
  applyStyle(element, from);
  drawChildren(from, element);
  to.append(element);
}

/** Copies inline styles, without those that load something or position an element outside the email. */
function applyStyle(element: HTMLElement, from: Element): void {
  element.style.cssText = from.getAttribute('data-style') ?? '';
  for (const name of [...element.style])
    if (/url\(|image-set\(/i.test(element.style.getPropertyValue(name))) element.style.removeProperty(name);
  if (/fixed|sticky/.test(element.style.position)) element.style.position = 'static';
}

interface MailPictureProps {
  /** A complete HTML document. */
  readonly html: string;
  readonly label: string;
}

/** Shows an email as email clients do. A shadow root isolates its styles from those of the page. */
function MailPicture({ html, label }: MailPictureProps) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    drawMail(root, html);
  }, [html]);
  return (
    <Box
      ref={host}
      role="group"
      aria-label={label}
      sx={{
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        overflow: 'auto',
        maxHeight: 560,
        minHeight: 120,
      }}
      tabIndex={0}
    />
  );
}

/** Shows how the recipient will see an email, while the user types its text. */
export function MailPreviewCard({ sample }: { readonly sample: MailSample }) {
  const { t } = useTranslation('sign-in');
  const preview = usePreview('mail', sample, previewMail);
  const [parameters, setParameters] = useSearchParams();
  const isText = parameters.get('view') === 'text';
  return (
    <SectionCard
      title={t('preview.title')}
      actions={
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('preview.form')}
          value={isText ? 'text' : 'html'}
          onChange={(_event, form: string | null) =>
            setParameters(
              (before) => {
                const others = [...before].filter(([name]) => name !== 'view');
                return new URLSearchParams(form === 'text' ? [...others, ['view', 'text']] : others);
              },
              { replace: true },
            )
          }
        >
          <ToggleButton value="html">{t('preview.html')}</ToggleButton>
          <ToggleButton value="text">{t('preview.text')}</ToggleButton>
        </ToggleButtonGroup>
      }
    >
      <Loaded of={preview}>
        {({ from, replyTo, subject, text, html }) => (
          <>
            <Box
              sx={{ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 2, rowGap: 0.5 }}
            >
              <Head label={t('preview.subject')} text={subject} />
              <Head label={t('preview.from')} text={`${from.name} <${from.address}>`} />
              {replyTo !== null && <Head label={t('templates.replyTo')} text={replyTo} />}
            </Box>
            {isText ? (
              <Box
                component="pre"
                tabIndex={0}
                dir="auto"
                aria-label={t('preview.text')}
                sx={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: MONOSPACE }}
              >
                {text}
              </Box>
            ) : (
              <MailPicture html={html} label={t('preview.title')} />
            )}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function Head({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography variant="body2" sx={{ fontWeight: 500 }}>
        <UntrustedText text={text} />
      </Typography>
    </>
  );
}
