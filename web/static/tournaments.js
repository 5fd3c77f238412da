// The pages of tournaments: their dates in the visitor's time zone.
import { formatTimes } from "./times.js";

formatTimes();
