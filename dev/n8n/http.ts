import { Agent } from 'node:http';

import axios from 'axios';

/** A server closes connections that were idle for seconds; on a busy machine, that meets the next request. */
const httpAgent = new Agent({ keepAlive: false });

/** Asks servers of this machine: past any proxy, and with every status an answer, not an error. */
export const http = axios.create({ proxy: false, validateStatus: null, httpAgent });
