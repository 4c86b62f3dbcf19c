const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Under which name a device keeps what is of a link, by a hash of its token: who looks into the device finds no link.
 * Browsers hash on https and on this machine alone; elsewhere it is null, and nothing is kept.
 */
export async function keptName(what: string, token: string): Promise<string | null> {
  const digest = await crypto.subtle?.digest('SHA-256', new TextEncoder().encode(token))
  return digest === undefined ? null : `${what}-${hex(digest).slice(0, 32)}`
}
