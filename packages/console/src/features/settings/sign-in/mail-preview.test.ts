import { expect, test } from 'vitest';
import { drawMail } from './mail-preview.tsx';

function draw(html: string): ShadowRoot {
  const root = document.createElement('div').attachShadow({ mode: 'open' });
  drawMail(root, html);
  return root;
}

test('[C226] an email is rendered with its styles, direction and language', () => {
  const root = draw(
    '<html lang="ar" dir="rtl"><body style="margin:24px"><p style="color:red">x</p></body></html>',
  );
  const page = root.firstElementChild;
  expect(page).toMatchObject({ dir: 'rtl', lang: 'ar' });
  expect(root.querySelector('p')?.style.color).toBe('red');
});

test('[C227] nothing in an email runs, links anywhere or loads anything', () => {
  const root =
    draw(`<body><script>window.x = 1</script><img src="https://evil.example/" onerror="window.x=1" alt="logo">
    <a href="https://evil.example/" onclick="window.x=1" style="background:url(https://evil.example/); position:fixed">go</a>
    <iframe src="https://evil.example/"></iframe><form action="/x"><input></form><svg onload="window.x=1"></svg></body>`);
  expect(root.innerHTML).not.toMatch(/evil|script|onclick|onerror|iframe|form|svg|fixed/);
  expect(root.textContent).toContain('logo');
  expect(root.querySelector('a')?.hasAttribute('href')).toBe(false);
});
