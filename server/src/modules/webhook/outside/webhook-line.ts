import { faultOfAddress, netsOf, type AddressFault } from './address.rules.ts'
import { postOutside, type Outcome } from './post-outside.ts'

/** The way out to the receivers of webhooks. */
export interface WebhookLine {
  /** what is wrong with an address as it is written */
  faultOf(url: string): AddressFault | null
  post(message: { url: string; headers: Readonly<Record<string, string>>; body: string }): Promise<Outcome>
  /**
   * Runs `lane` beside those of the same webhook in this process, two at most. Where there are two, one of them is run
   * once more, so that it does not miss what came meanwhile. Nobody waits for it here.
   */
  begin(webhookId: number, lane: (isOpen: () => boolean) => Promise<void>, onError: (error: unknown) => void): void
  /** Waits until nothing is under way. */
  idle(): Promise<void>
  /** Begins nothing any more, and waits for what is under way. */
  close(): Promise<void>
}

declare module '../../../kit/context/context.ts' {
  interface Ports {
    webhooks: WebhookLine
  }
}

/**
 * How many messages to one webhook are under way at once in this process. With the number of webhooks (MOST_WEBHOOKS)
 * that bounds all of them, and a receiver that never answers holds up none but its own.
 */
const AT_ONCE = 2

interface Lanes {
  count: number
  isAskedAgain: boolean
}

/**
 * `allowNets` are nets of one's own that are opened by the settings. `resolve` and `ca` are for those who try it: every
 * address of a name, and certificates that are trusted beside the usual ones.
 */
export function createWebhookLine({
  allowNets,
  resolve,
  ca,
}: {
  allowNets: readonly string[]
  resolve?: (host: string, signal: AbortSignal) => Promise<string[]>
  ca?: string
}): WebhookLine {
  const nets = netsOf(allowNets)
  const lanes = new Map<number, Lanes>()
  const underway = new Set<Promise<void>>()
  let isOpen = true
  const idle = async () => {
    while (underway.size > 0) await Promise.all(underway)
  }
  return {
    faultOf: (url) => faultOfAddress(url, nets),
    post: (message) => postOutside({ nets, resolve, ca }, message),
    begin(webhookId, lane, onError) {
      if (!isOpen) return
      const own = lanes.get(webhookId) ?? { count: 0, isAskedAgain: false }
      if (own.count === AT_ONCE) {
        own.isAskedAgain = true
        return
      }
      own.count += 1
      lanes.set(webhookId, own)
      const run = async () => {
        try {
          do {
            own.isAskedAgain = false
            await lane(() => isOpen)
          } while (own.isAskedAgain && isOpen)
        } catch (error) {
          onError(error)
        }
        own.count -= 1
        if (own.count === 0) lanes.delete(webhookId)
      }
      const done: Promise<void> = run().then(() => void underway.delete(done))
      underway.add(done)
    },
    idle,
    async close() {
      isOpen = false
      await idle()
    },
  }
}
