import type { Ports } from '../src/kit/context.ts'

export interface TestPorts extends Ports {
  close(): Promise<void>
}

/** Ports of a test: real ones over a folder of its own; a test file that wants another replaces it here and nowhere deeper. */
export async function testPorts(): Promise<TestPorts> {
  return { close: async () => undefined }
}
