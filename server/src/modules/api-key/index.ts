export { keyAuthenticator } from './authenticate-key.ts'
export { createKey } from './manage-keys.ts'
