import type { Typesetter, TypesetterBuild } from './typesetting.ts'

/**
 * The build that was asked for; if none was, the native one where it loads and WebAssembly elsewhere.
 * Rejects if the build that was asked for does not load.
 */
export async function openTypesetter(fonts: Buffer[], build?: TypesetterBuild): Promise<Typesetter> {
  if (build !== 'webassembly') {
    const native = await import('./typesetter-native.ts').catch((error: unknown) => {
      if (build) throw error
    })
    if (native) return native.createNativeTypesetter(fonts)
  }
  const { createWebAssemblyTypesetter } = await import('./typesetter-webassembly.ts')
  return createWebAssemblyTypesetter(fonts)
}
