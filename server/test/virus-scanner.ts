// A server that speaks ClamAV's INSTREAM as clamd does: bytes that hold the word are infected.
import { createServer, type AddressInfo, type Socket } from 'node:net'

export const INFECTED = 'X5O!P%@AP-WAYBILL-TEST-VIRUS'

export interface TestScanner {
  url: string
  /** how many bytes of files it was given */
  received(): number
  close(): Promise<void>
}

interface Habits {
  /** says `INSTREAM size limit exceeded` above so many bytes, and hangs up */
  mostBytes?: number
  /** takes everything and says nothing */
  isSilent?: boolean
}

export async function openTestScanner({ mostBytes = Infinity, isSilent = false }: Habits = {}): Promise<TestScanner> {
  let received = 0
  const sockets = new Set<Socket>()
  const answer = (socket: Socket, text: string) => void socket.end(`${text}\0`)
  const server = createServer((socket) => {
    sockets.add(socket)
    let sent = Buffer.alloc(0)
    let file = Buffer.alloc(0)
    let isCommanded = false
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      sent = Buffer.concat([sent, bytes])
      if (!isCommanded) {
        const end = sent.indexOf(0)
        if (end < 0) return
        if (sent.toString('latin1', 0, end) !== 'zINSTREAM') return answer(socket, 'UNKNOWN COMMAND')
        isCommanded = true
        sent = sent.subarray(end + 1)
      }
      while (sent.length >= 4 && sent.length >= 4 + sent.readUInt32BE(0)) {
        const length = sent.readUInt32BE(0)
        const part = sent.subarray(4, 4 + length)
        sent = sent.subarray(4 + length)
        received += length
        file = Buffer.concat([file, part])
        if (file.length > mostBytes) return answer(socket, 'INSTREAM size limit exceeded. ERROR')
        if (length === 0 && !isSilent)
          answer(socket, file.includes(INFECTED) ? 'stream: Waybill-Test-Signature FOUND' : 'stream: OK')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
