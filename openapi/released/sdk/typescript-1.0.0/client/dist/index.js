export { CardVault } from './client.js';
export { CardVaultError, ConnectionError, TimeoutError, } from './errors.js';
export { version } from './generated/version.js';
export * as webhooks from './webhooks.js';
