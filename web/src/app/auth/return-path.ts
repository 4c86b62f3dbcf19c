/** Where a person goes after signing in: where they wanted to, if that is a screen of ours, else the start. */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string') return '/'
  try {
    // A second slash or a backslash at the start would lead to another host.
    const target = new URL(wanted, 'https://here.invalid')
    if (!wanted.startsWith('/') || target.origin !== 'https://here.invalid' || target.pathname.startsWith('//'))
      return '/'
    if (target.pathname === '/login' || target.pathname.startsWith('/auth/')) return '/'
    return `${target.pathname}${target.search}${target.hash}`
  } catch {
    return '/'
  }
}
