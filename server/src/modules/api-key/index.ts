export { keyAuthenticator } from './authenticate-key.ts'
