import { outdated } from '../../dev/scripts/generate';

test('what is made from other files is as they make it (npm run generate)', async () => {
	expect([...(await outdated()).keys()]).toEqual([]);
});
