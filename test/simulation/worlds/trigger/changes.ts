import type { Fields } from '../../../../dev/sandbox/account';
import { type Service, timeOf } from './service';

/** Changes the account; `pick` says which record. */
type Change = (service: Service, pick: number) => void;

const scan =
	(pick: number, ago: number): Change =>
	(service) =>
		service.addScan(service.pick('keywords', pick), service.now - ago);

const replaceKeyword: Change = (service, pick) => {
	const keyword = service.pick('keywords', pick);
	service.remove('keywords', keyword);
	const isOwner = ({ id }: Fields) => id === keyword?.location_id;
	service.add('keywords', service.list('locations').find(isOwner));
};

/** More than fit on a page, a minute apart at most, and after those that are there. */
const addMany: Change = (service, pick) => {
	const scans = service.list('scans', service.pick('keywords', pick));
	const since = service.now - Math.max(0, ...scans.map(timeOf));
	const pause = Math.min(60_000, since / 21);
	for (let number = 20; number >= 0; number--) scan(pick, number * pause)(service, pick);
};

const publish: Change = (service, pick) => {
	const posts = service.present('posts').filter(({ status }) => status !== 'published');
	service.change('posts', posts[pick % posts.length], { status: 'published' });
};

/** Changes that may happen to the account. */
export const CHANGES: Record<string, Change> = {
	'a location is added': (service) => service.addLocation(),
	'a location is renamed': (service, pick) =>
		service.change('locations', service.pick('locations', pick), { name: service.name() }),
	'a score moves': (service, pick) =>
		service.change('locations', service.pick('locations', pick), { rank_score: pick % 100 }),
	'a location is removed': (service, pick) =>
		service.remove('locations', service.pick('locations', pick)),
	'a keyword is added': (service, pick) => service.add('keywords', service.pick('locations', pick)),
	'a keyword is removed': (service, pick) =>
		service.remove('keywords', service.pick('keywords', pick)),
	'a keyword is replaced': replaceKeyword,
	'a post is added': (service, pick) => service.add('posts', service.pick('locations', pick)),
	'a post is edited': (service, pick) =>
		service.change('posts', service.pick('posts', pick), { title: service.name() }),
	'a post has another field': (service, pick) =>
		service.change('posts', service.pick('posts', pick), { constructor: service.name() }),
	'a post is published': publish,
	'a post is removed': (service, pick) => service.remove('posts', service.pick('posts', pick)),
	'a scan is done': (service, pick) => scan(pick, 0)(service, pick),
	'a scan on two devices is done': (service, pick) => {
		for (const ago of [2_000, 0]) scan(pick, ago)(service, pick);
	},
	'many scans are done': addMany,
};
