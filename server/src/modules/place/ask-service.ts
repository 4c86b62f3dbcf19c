const MOST_BYTES = 1_000_000

/**
 * What a service outside answers as JSON. Throws where it does not answer in time, or not as it should; its address
 * is ours (design §9, rule 8).
 */
export async function askService(address: URL, timeLimitMs: number): Promise<unknown> {
  // A redirect could lead anywhere; the user agent is what Nominatim's rules ask for.
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeLimitMs),
    headers: { accept: 'application/json', 'user-agent': 'Waybill' },
  })
  if (!response.ok || response.body === null) throw new Error(`the service answered ${response.status}`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw new Error('the service answered too much')
    parts.push(part)
  }
  return JSON.parse(Buffer.concat(parts).toString('utf8'))
}
