/** Elements that mails are made of. What is in others is drawn without them; these have no effect beyond their looks. */
const ELEMENTS = new Set(
  'a,abbr,b,bdi,bdo,blockquote,br,center,code,dd,div,dl,dt,em,font,h1,h2,h3,h4,h5,h6,hr,i,li,ol,p,pre,s,small,span,strong,sub,sup,table,tbody,td,tfoot,th,thead,tr,u,ul'.split(
    ',',
  ),
);
/** What is in these is not drawn. */
const LEFT_OUT = new Set(
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
 * Draws a mail into a root of its own. Nothing in it can run, lead anywhere or load anything: elements are made anew, those of
 * a list alone, and styles are set one by one, as the policy of the page allows.
 */
export function drawMail(root: ShadowRoot, html: string): void {
  // The parser would refuse styles that stand in the text, and tell that as an attempt to break the policy.
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
  if (LEFT_OUT.has(name)) return;
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

/** Without what loads something, and without places beyond those of the mail. */
function applyStyle(element: HTMLElement, from: Element): void {
  element.style.cssText = from.getAttribute('data-style') ?? '';
  for (const name of [...element.style])
    if (/url\(|image-set\(/i.test(element.style.getPropertyValue(name))) element.style.removeProperty(name);
  if (/fixed|sticky/.test(element.style.position)) element.style.position = 'static';
}
