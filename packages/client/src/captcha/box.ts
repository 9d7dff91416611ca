import { boxTextsFor } from './texts.ts';

/** The states that the box of a visible verifier shows. */
export type BoxState = 'unchecked' | 'checking' | 'checked' | 'failed' | 'expired';

/** The box of a visible verifier, which shows the state of its check. */
export interface Box {
  show(state: BoxState): void;
}

interface BoxOptions {
  readonly theme: string | undefined;
  /** Called once, when the user sees the box for the first time. */
  readonly onSeen: () => void;
  /** Called whenever the user selects the box. */
  readonly onSelect: () => void;
}

const COLORS = {
  light: { text: '#1f1f1f', background: '#fafafa', border: '#767676', mark: '#0b6b2e' },
  dark: { text: '#f1f1f1', background: '#222222', border: '#8c8c8c', mark: '#7ddc9a' },
} as const;

/**
 * Adds a box to an element. The box is as large as that of reCAPTCHA, so that the layout of a page does not change. The
 * styles are set through the DOM, because content security policies can forbid style attributes and elements.
 */
export function addBox(container: HTMLElement, { theme, onSeen, onSelect }: BoxOptions): Box {
  const { language, texts } = boxTextsFor([document.documentElement.lang, ...navigator.languages]);
  const colors = COLORS[theme === 'dark' ? 'dark' : 'light'];
  const box = document.createElement('div');
  const mark = document.createElement('span');
  const text = document.createElement('span');
  box.lang = language;
  box.dir = language === 'ar' ? 'rtl' : 'ltr';
  box.tabIndex = 0;
  const name = document.createElement('span');
  const label = document.createElement('span');
  setAttributes(box, { role: 'checkbox', 'aria-checked': 'false' });
  setAttributes(mark, { 'aria-hidden': 'true' });
  // Screen readers announce a live region when its text changes. They do not announce changes inside the box.
  const status = document.createElement('span');
  setAttributes(status, { role: 'status' });
  Object.assign(box.style, {
    boxSizing: 'border-box',
    width: '304px',
    maxWidth: '100%',
    minHeight: '78px',
    padding: '8px 12px',
    display: 'flex',
    alignItems: 'center',
    gap: '12px',
    border: `1px solid ${colors.border}`,
    borderRadius: '3px',
    background: colors.background,
    color: colors.text,
    font: '14px/1.35 system-ui, sans-serif',
    cursor: 'pointer',
  });
  Object.assign(mark.style, {
    boxSizing: 'border-box',
    flex: 'none',
    width: '28px',
    height: '28px',
    border: `2px solid ${colors.border}`,
    borderRadius: '3px',
    color: colors.mark,
    font: 'bold 20px/24px system-ui, sans-serif',
    textAlign: 'center',
  });
  Object.assign(status.style, {
    position: 'absolute',
    width: '1px',
    height: '1px',
    overflow: 'hidden',
    clipPath: 'inset(50%)',
    whiteSpace: 'nowrap',
  });
  Object.assign(label.style, { display: 'flex', flexDirection: 'column' });
  name.textContent = texts.name;
  label.append(name, text);
  box.append(mark, label);
  container.append(box, status);
  box.addEventListener('click', onSelect);
  box.addEventListener('keydown', (event) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    onSelect();
  });
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    onSeen();
  });
  observer.observe(box);
  return {
    show(state) {
      const shown = state === 'unchecked' ? '' : texts[state];
      const isChecked = state === 'checked';
      setAttributes(box, { 'aria-checked': String(isChecked), 'aria-busy': String(state === 'checking') });
      mark.textContent = isChecked ? '✓' : state === 'checking' ? '…' : '';
      text.textContent = shown;
      status.textContent = shown;
    },
  };
}

function setAttributes(element: Element, attributes: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
