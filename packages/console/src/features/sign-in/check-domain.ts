/** What a domain as it is typed would be. */
export type DomainCheck =
  | { readonly kind: 'empty' }
  /** As the server keeps it. */
  | { readonly kind: 'good'; readonly domain: string }
  | { readonly kind: 'has-scheme' | 'has-port' | 'has-path' | 'not-domain' | 'wildcard' | 'known' };

/** Checks a host or address without scheme and port; `*.` before it stands for what is below. */
export function checkDomain(typed: string, known: readonly string[]): DomainCheck {
  const text = typed.trim().toLowerCase();
  if (text === '') return { kind: 'empty' };
  if (/^[a-z][a-z0-9+.-]*:\/\//.test(text)) return { kind: 'has-scheme' };
  if (text.includes('/') || text.includes('?') || text.includes('#')) return { kind: 'has-path' };
  const isWild = text.startsWith('*.');
  const host = isWild ? text.slice(2) : text;
  if (host.includes('*')) return { kind: 'wildcard' };
  const isAddress = /^\[?[0-9a-f:.]+\]?$/.test(host) && (host.match(/:/g)?.length ?? 0) > 1;
  if (!isAddress && host.includes(':')) return { kind: 'has-port' };
  const bare = host.replace(/^\[|\]$/g, '');
  const url = URL.parse(`http://${isAddress ? `[${bare}]` : host}`);
  if (url === null || !/^[a-z0-9.:[\]-]+$/.test(url.hostname) || url.username !== '')
    return { kind: 'not-domain' };
  const domain = `${isWild ? '*.' : ''}${isAddress ? bare : url.hostname}`;
  return known.includes(domain) ? { kind: 'known' } : { kind: 'good', domain };
}
